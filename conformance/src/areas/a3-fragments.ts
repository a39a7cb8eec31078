// Finds out whether a cut output shows a piece of the value that the cut split. Called by the judge of mask_truncated.

/** Where the value of each name stands in a case's text, and how long a piece may be that tells nothing of it. */
const VALUES: Readonly<Record<string, RegExp>> = {
  pem: /-----BEGIN[^-]*-----\s*([\s\S]+?)(?:-----END|$)/,
  token: /([A-Za-z0-9_.-]{20,})/,
  iban: /([A-Z]{2}\d{2}[A-Z0-9 ]{11,30})/,
  card: /((?:\d[ -]?){12,19})/,
  email: /(\S+@\S+)/,
  password: /pass\w*\s*[=:]\s*(\S+)/i,
  url: /:\/\/([^@\s]+)@/,
  phone: /(\+?\d[\d ()-]{6,})/,
  jwt: /(eyJ[\w-]+\.[\w-]+\.?[\w-]*)/,
  ip: /(\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*::?[0-9a-f:]+)/i,
};
const MIN_FRAGMENT = 3;

/** A run of three characters of the value that stands where the output is cut or anywhere before. */
export function leaksFragment(raw: string, shown: string, name: string, cut: number): boolean {
  const value = (VALUES[name]?.exec(raw)?.[1] ?? wordAt(raw, cut)).trim();
  const clear = shown.replace(/⟦[^⟦⟧]*⟧/g, '\n');
  const outside = raw.replace(value, '\n');
  for (let at = 0; at + MIN_FRAGMENT <= value.length; at++) {
    const piece = value.slice(at, at + MIN_FRAGMENT);
    if (clear.includes(piece) && !outside.includes(piece)) return true;
  }
  return false;
}

/** The word that the cut splits: the value of a name that is not in the table. */
function wordAt(raw: string, cut: number): string {
  const before = /\S*$/.exec(raw.slice(0, cut))?.[0] ?? '';
  return before + (/^\S*/.exec(raw.slice(cut))?.[0] ?? '');
}
