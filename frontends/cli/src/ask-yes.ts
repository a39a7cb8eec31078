// One question on the person's own terminal: only the whole word `yes` is one. Called by set-up commands before they act.
import { createInterface } from 'node:readline';
import type { CommandIo } from './command.js';

/** false when there is nobody to ask, or anything else was typed. */
export function canAsk({ stdin }: Pick<CommandIo, 'stdin'>): boolean {
  return (stdin as NodeJS.ReadStream).isTTY;
}

export function askYes({ stdin, err, signal }: CommandIo, question: string): Promise<boolean> {
  if (!canAsk({ stdin })) return Promise.resolve(false);
  err(`${question} Type yes and Enter: `);
  const lines = createInterface({ input: stdin });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line.trim() === 'yes');
      lines.close();
    });
    lines.once('close', () => resolve(false));
    signal.addEventListener('abort', () => lines.close(), { once: true });
  });
}
