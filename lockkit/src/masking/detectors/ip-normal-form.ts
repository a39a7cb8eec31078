// One spelling for every spelling of an IP address, so that its pseudonym is one. Called by the ip detector and when
// an allowed value is compared.

/** IPv4 without leading zeros; IPv6 as eight lower-case groups, zone kept. What is neither is only lower-cased. */
export function normaliseIp(value: string): string {
  if (!value.includes(':')) return trimV4(value);
  const [address = '', zone] = value.toLowerCase().split('%');
  const plain = expandV6(address);
  return zone === undefined ? plain : `${plain}%${zone}`;
}

function trimV4(address: string): string {
  if (!/(?:^|\.)0\d/.test(address)) return address;
  return address
    .split('.')
    .map((group) => String(Number(group)))
    .join('.');
}

function expandV6(address: string): string {
  const groups = [0, 0, 0, 0, 0, 0, 0, 0];
  let count = 0;
  let gapAt = -1;
  let value = -1;
  const plain = withoutDots(address);
  for (let at = 0; at <= plain.length; at++) {
    const code = at < plain.length ? plain.charCodeAt(at) : COLON;
    if (code !== COLON) {
      value = Math.max(0, value) * 16 + (code <= 0x39 ? code - 0x30 : code - 0x57);
    } else if (value >= 0) {
      groups[count & 7] = value;
      count += 1;
      value = -1;
    } else if (gapAt < 0) {
      gapAt = count;
    }
  }
  return spread(groups, count, gapAt);
}

const COLON = 0x3a;

/** All eight groups: what stands after the gap moves to the end. */
function spread(groups: readonly number[], count: number, gapAt: number): string {
  const missing = gapAt < 0 ? 0 : 8 - count;
  let text = '';
  for (let at = 0; at < 8; at++) {
    const isGap = gapAt >= 0 && at >= gapAt && at < gapAt + missing;
    const from = gapAt >= 0 && at >= gapAt + missing ? at - missing : at;
    text += `${at === 0 ? '' : ':'}${isGap ? '0' : (groups[from] as number).toString(16)}`;
  }
  return text;
}

function withoutDots(address: string): string {
  if (!address.includes('.')) return address;
  return address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_all, a: string, b: string, c: string, d: string) => {
      const high = Number(a) * 256 + Number(b);
      const low = Number(c) * 256 + Number(d);
      return `${high.toString(16)}:${low.toString(16)}`;
    },
  );
}
