// Values as a record can hold them and every language reads alike: integers and strings, bounded.
// Called by record.ts for every event. Must never throw for what an agent can cause, nor drop a field silently.

export type CleanValue =
  null | boolean | number | string | readonly CleanValue[] | { readonly [field: string]: CleanValue };

const MAX_STRING_CODE_UNITS = 4096;
const MAX_ITEMS = 256;
const MAX_DEPTH = 8;

/** Fields that are undefined are left out; everything else becomes a CleanValue. */
export function cleanFields(fields: object): Readonly<Record<string, CleanValue>> {
  return cleanObject(fields, 0);
}

function cleanObject(fields: object, depth: number): Readonly<Record<string, CleanValue>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const kept = entries
    .slice(0, MAX_ITEMS)
    .map(([name, value]) => [cleanString(name), cleanValue(value, depth)] as const);
  const cut = entries.length - kept.length;
  return Object.fromEntries(cut > 0 ? [...kept, ['cut_fields', cut] as const] : kept);
}

function cleanValue(value: unknown, depth: number): CleanValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cleanString(value);
  if (typeof value === 'number') return cleanNumber(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return cleanList(value, depth);
  return cleanObject(value, depth + 1);
}

/** Integers that every language reads exactly stay numbers; all others become their text. */
function cleanNumber(value: number): CleanValue {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return String(value);
}

function cleanList(list: readonly unknown[], depth: number): CleanValue {
  const kept = list.slice(0, MAX_ITEMS).map((item) => cleanValue(item ?? null, depth + 1));
  return list.length > MAX_ITEMS ? [...kept, `[${list.length - MAX_ITEMS} more]`] : kept;
}

/** Unpaired surrogates have no UTF-8 and become U+FFFD; what is cut is counted. */
function cleanString(text: string): string {
  const whole = Buffer.from(text.slice(0, MAX_STRING_CODE_UNITS)).toString();
  return text.length > MAX_STRING_CODE_UNITS
    ? `${whole}[${text.length - MAX_STRING_CODE_UNITS} more]`
    : whole;
}
