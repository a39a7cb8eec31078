// Marks by which a file of credentials is known even when a cut has left nothing else of it: the type line of a Google
// service account, and the identifier of its key.
import type { Emit, View } from '../../detector.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const TYPE_LINE = /"type"\s?:\s?"$/;
const KEY_ID = /^\\?"\s?:\s?\\?"([0-9a-f]{40})\\?"/;

export const credentialFiles: SecretFinder = {
  literals: ['service_account', 'private_key_id'],
  open: openMarks,
};

function openMarks(view: View, emit: Emit): SecretLook {
  return {
    literal: (index, start, end) => {
      if (index === 0) {
        const isType =
          TYPE_LINE.test(view.text.slice(Math.max(0, start - 12), start)) && view.bytes[end] === 0x22;
        if (isType) emit(start, end, 'service account file');
        return;
      }
      const id = KEY_ID.exec(view.text.slice(end, end + 56));
      if (id === null) return;
      const from = end + id[0].indexOf(id[1] as string);
      emit(from, from + 40, 'service account key');
    },
  };
}
