// Text from outside made harmless for a terminal: visible ASCII, cut. Called by the reports.

const WIDTH = 200;

export function visible(text: string): string {
  return cut(ascii(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')));
}

export function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function cut(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH)}… (${String(text.length - WIDTH)} more)`;
}
