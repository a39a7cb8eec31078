// Keys and values of a policy file that look like a secret. A profile never holds one (using lockssh, "Profiles"):
// the loader refuses them with the key, so that nobody believes a file that an agent reads to be a safe place.
// This is a net for mistakes, not a detector: it errs towards patterns that nothing else looks like.

const SECRET_KEY =
  /^(?:.*[_-])?(?:pass(?:word|wd|phrase|code)?|pwd|pin|secrets?|tokens?|api[_-]?keys?|private[_-]?keys?|access[_-]?keys?|credential|bearer|auth[_-]?(?:key|token))(?:[_-].*)?$/i;

const SECRET_VALUES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/,
  /PuTTY-User-Key-File-/,
  /AGE-SECRET-KEY-1/,
  /b3BlbnNzaC1rZXktdjE/, // "openssh-key-v1" in base64
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20}|\bgithub_pat_[A-Za-z0-9_]{20}|\bglpat-[A-Za-z0-9_-]{16}/,
  /\b(?:hvs|hvb|hvr)\.[A-Za-z0-9_-]{20}|^s\.[A-Za-z0-9]{24}$/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10}/,
  /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./,
  /:\/\/[^/\s:@]*:[^/\s@]+@/, // URL with a password
  /(?:^|[^A-Za-z])(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key)=[^\s*?[\]${}<>]{4,}/i,
];

/** Does a key that the profile does not know look as if it held a secret? */
export function looksLikeSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** Does a text look like a private key, a token or a password written out? */
export function looksLikeSecretValue(text: string): boolean {
  return SECRET_VALUES.some((pattern) => pattern.test(text));
}
