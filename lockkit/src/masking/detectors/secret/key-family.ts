// What the name of a key says about its value. Called by the assignment finder for identifiers that hold one of the
// stems. A name is read by its words (`clientSecret`, `DB_PASSWORD`, `x-api-key`); the last one decides.

/** How sure the name is: any value of a password is one; a "key" must look like one too. */
export type KeyFamily = 'password' | 'token' | 'key' | 'auth' | 'signature';

export const KEY_STEMS = [
  'pass',
  'pwd',
  'secret',
  'token',
  'key',
  'cred',
  'auth',
  'psk',
  'sess',
  'sid',
  'signature',
  'sig',
  'jwt',
  'otp',
  'kennwort',
  'mnemonic',
  'seed',
] as const;

const PASSWORD_WORDS = new Set(
  'password passwd passwort passphrase passcode passwords pwd pass secret psk kennwort userpass dbpass rootpass adminpass mypass ftppass smtppass redispass mysqlpass authpass privpass keypass storepass requirepass masterauth mnemonic seedphrase'.split(
    ' ',
  ),
);
const PASSWORD_END = /(?:password|passwd|passphrase|passwort|secret|kennwort|[a-z]{2,}pwd)$/;
const TOKEN_WORDS = new Set(
  'token jwt otp authtoken accesstoken apitoken bearertoken usertoken refreshtoken idtoken sessiontoken bottoken oauthtoken securitytoken bearer'.split(
    ' ',
  ),
);
const NOT_TOKEN_BEFORE = new Set(
  'csrf xsrf public page next continuation cancel sync max min num pad eos bos stop'.split(' '),
);
const KEY_WORDS = new Set(
  'apikey accesskey secretkey privatekey accountkey authkey encryptionkey masterkey signingkey sharedkey licensekey presharedkey appkey subscriptionkey storagekey sharedaccesskey credentials credential creds cred sessionid phpsessid jsessionid sessid sessionkey sid'.split(
    ' ',
  ),
);
const KEY_BEFORE = new Set(
  'api access secret private account auth encryption encrypt signing sign master service shared preshared app application license storage client consumer admin write deploy session subscription hmac aes jwt webhook merchant root security unseal recovery function'.split(
    ' ',
  ),
);

/** The family of an identifier, or undefined when its value is nothing to hide. */
export function familyOf(identifier: string): KeyFamily | undefined {
  const words = wordsOf(identifier);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.at(-2);
  if (isPassword(last, words)) return 'password';
  if (TOKEN_WORDS.has(last))
    return before !== undefined && NOT_TOKEN_BEFORE.has(before) ? undefined : 'token';
  if (KEY_WORDS.has(last)) return 'key';
  if (last === 'key' && before !== undefined && KEY_BEFORE.has(before)) return 'key';
  if (last === 'id' && before !== undefined && (before === 'session' || before === 'sess')) return 'key';
  if (last === 'auth' || last === 'authorization') return 'auth';
  if (last === 'sig' || last === 'signature') return 'signature';
  return undefined;
}

function isPassword(last: string, words: readonly string[]): boolean {
  if (PASSWORD_WORDS.has(last) || PASSWORD_END.test(last)) return true;
  const joined = words.join(' ');
  if (joined.endsWith('seed phrase') || joined.endsWith('recovery phrase')) return true;
  return /secret (?:access )?key(?: base)?$|key base$/.test(joined);
}

/** Lower-case words; digits at the end do not count (`password2`). */
function wordsOf(identifier: string): readonly string[] {
  const words = identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9\x80-\xff]+/)
    .filter((word) => word !== '');
  while (words.length > 1 && /^\d+$/.test(words.at(-1) as string)) words.pop();
  const last = words.pop();
  return last === undefined ? words : [...words, last.replace(/\d+$/, '') || last];
}
