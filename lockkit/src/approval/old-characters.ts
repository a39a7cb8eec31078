// Characters that terminals have known for long: those of Unicode 9.0 (2016). A terminal draws a character that is newer
// than its own tables as nothing at all, so that it hides in plain sight. Used by code-point.ts for all text from
// outside. Made from the Present_In property; the test holds its size against this Node.js.

/** Of the first plane: assigned after 9.0. */
const YOUNG =
  /[\u0560\u0588\u09fc-\u09fe\u0a76\u0afa-\u0aff\u0b55\u0c04\u0c3c\u0c5c\u0c5d\u0c77\u0c84\u0cdc\u0cdd\u0cf3\u0d00\u0d04\u0d3b\u0d3c\u0d81\u0e86\u0e89\u0e8c\u0e8e-\u0e93\u0e98\u0ea0\u0ea8\u0ea9\u0eac\u0eba\u0ece\u0ede\u0edf\u170d\u1715\u171f\u1878\u1abf-\u1add\u1ae0-\u1aeb\u1b4c\u1b4e\u1b4f\u1b7d-\u1b7f\u1c89\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1cf7\u1cfa\u1df6-\u1dfb\u20bf-\u20c1\u23ff\u2427-\u2429\u2b96\u2b97\u2bba-\u2bbc\u2bc9\u2bd2-\u2beb\u2bf0-\u2bff\u2c2f\u2c5f\u2e45-\u2e5d\u2ffc-\u2fff\u312e\u312f\u31bb-\u31bf\u31e4\u31e5\u31ef\u32ff\u4db6-\u4dbf\u9fd6-\u9fff\ua7af\ua7b8-\ua7dc\ua7f1-\ua7f6\ua82c\ua8fe\ua8ff\uab66-\uab6b]/u;

/** Of the planes above: signs and ideographs of 9.0. Scripts and letters up there are escaped. */
const OLD_ABOVE =
  /[\u{1f000}-\u{1f02b}\u{1f030}-\u{1f093}\u{1f0a0}-\u{1f0ae}\u{1f0b1}-\u{1f0bf}\u{1f0c1}-\u{1f0cf}\u{1f0d1}-\u{1f0f5}\u{1f100}-\u{1f10c}\u{1f110}-\u{1f12e}\u{1f130}-\u{1f16b}\u{1f170}-\u{1f1ac}\u{1f1e6}-\u{1f202}\u{1f210}-\u{1f23b}\u{1f240}-\u{1f248}\u{1f250}\u{1f251}\u{1f300}-\u{1f6d2}\u{1f6e0}-\u{1f6ec}\u{1f6f0}-\u{1f6f6}\u{1f700}-\u{1f773}\u{1f780}-\u{1f7d4}\u{1f800}-\u{1f80b}\u{1f810}-\u{1f847}\u{1f850}-\u{1f859}\u{1f860}-\u{1f887}\u{1f890}-\u{1f8ad}\u{1f910}-\u{1f91e}\u{1f920}-\u{1f927}\u{1f930}\u{1f933}-\u{1f93e}\u{1f940}-\u{1f94b}\u{1f950}-\u{1f95e}\u{1f980}-\u{1f991}\u{1f9c0}\u{20000}-\u{2a6d6}\u{2a700}-\u{2b734}\u{2b740}-\u{2b81d}\u{2b820}-\u{2cea1}\u{2f800}-\u{2fa1d}]/u;

/** Whether a code point that this Node.js knows was in Unicode 9.0. */
export function isOld(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0xffff ? OLD_ABOVE.test(character) : !YOUNG.test(character);
}
