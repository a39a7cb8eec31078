// Hardware addresses (opt-in): six or eight pairs with colons or hyphens, or three groups of four with dots. Hangs on
// the separators; fingerprints have more pairs and are left alone.
import { isHex, isWord } from '../characters.js';
import type { Detector, Emit, Look, View } from '../detector.js';

const WRITTEN =
  /^(?:[0-9a-f]{2}(?::[0-9a-f]{2}){7}|[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![\w:]|[-.][0-9a-f])/i;

export const mac: Detector = {
  name: 'mac',
  literals: [':', '-', '.'],
  open: openMac,
  normalise: (value) => value.replace(/[^0-9A-Fa-f]/g, '').toLowerCase(),
};

function openMac(view: View, emit: Emit): Look {
  let seen = 0;
  return {
    literal: (index, at) => {
      const from = at - (index === 2 ? 4 : 2);
      if (from < seen || from < 0 || !isHex(view.bytes[at - 1]) || !isHex(view.bytes[at + 1])) return;
      const before = view.bytes[from - 1];
      if (isWord(before) || before === view.bytes[at]) return;
      const written = WRITTEN.exec(view.text.slice(from, from + 26))?.[0];
      if (written === undefined) return;
      emit(from, from + written.length, 'hardware address');
      seen = from + written.length;
    },
  };
}
