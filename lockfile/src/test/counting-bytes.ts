// A source of bytes for tests that is the same in every run and never repeats a word by chance.

export function countingBytes(): (count: number) => Uint8Array {
  let next = 0;
  return (count) => Uint8Array.from({ length: count }, () => (next = (next * 31 + 7) % 251));
}
