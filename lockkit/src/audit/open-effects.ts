// What has started and not ended, read from the records alone: after a crash these are the effects whose end nobody
// knows. Called by the writer, at its start and for every record. A new file carries the list over (event `log.file`).
import type { CleanEvent } from './record.js';

/** Something that was opened by the record `seq` and not closed yet. */
export interface OpenEffect {
  readonly id: string;
  readonly profile: string;
  readonly seq: number;
}

export interface OpenEffects {
  readonly note: (event: CleanEvent, seq: number) => void;
  readonly list: () => readonly OpenEffect[];
}

export const NEW_FILE_EVENT = 'log.file';

export function createOpenEffects(): OpenEffects {
  const open = new Map<string, OpenEffect>();
  return {
    note: (event, seq) => {
      if (event['event'] === NEW_FILE_EVENT)
        for (const effect of readList(event['open'])) open.set(effect.id, effect);
      if (typeof event['closes'] === 'string') open.delete(event['closes']);
      if (typeof event['opens'] !== 'string') return;
      open.set(event['opens'], { id: event['opens'], profile: String(event['profile']), seq });
    },
    list: () => [...open.values()],
  };
}

function readList(value: unknown): readonly OpenEffect[] {
  return Array.isArray(value) ? value.filter(isOpenEffect) : [];
}

function isOpenEffect(value: unknown): value is OpenEffect {
  if (typeof value !== 'object' || value === null) return false;
  const { id, profile, seq } = value as Partial<OpenEffect>;
  return typeof id === 'string' && typeof profile === 'string' && typeof seq === 'number';
}
