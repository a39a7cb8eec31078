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
  const [head = '', tail] = withoutDots(address).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

function withoutDots(address: string): string {
  return address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_all, a: string, b: string, c: string, d: string) => {
      const high = Number(a) * 256 + Number(b);
      const low = Number(c) * 256 + Number(d);
      return `${high.toString(16)}:${low.toString(16)}`;
    },
  );
}
