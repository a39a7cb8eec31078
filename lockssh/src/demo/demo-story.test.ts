import { describe, expect, test } from 'vitest';
import type { AgentResult } from '@lockkit/tui/demo';
import { tellStory } from './demo-story.js';

const pending = { status: 'pending', ticket: 't_0123456789ABCDEF' };
const done = { status: 'done' };
const refused = (code: string): AgentResult => ({ error: { code, hint: '' } });

/** What the agent is answered, one after the other; the end-to-end tests have the real ones. */
async function tell(
  answers: readonly AgentResult[],
): Promise<{ readonly said: string; readonly left: number }> {
  const left = [...answers];
  const said: string[] = [];
  await tellStory({
    agent: () => Promise.resolve(left.shift() ?? {}),
    say: (text) => void said.push(text),
    decided: () => Promise.resolve(),
    command: () => Promise.resolve(),
    turnExecOn: () => undefined,
    logFile: '/log',
  });
  return { said: said.join('\n'), left: left.length };
}

const notAllowed = refused('E_NOT_ALLOWED');

describe('tellStory', () => {
  test('a ticket that nobody decided expires: told, and the story goes on', async () => {
    const expired = [pending, refused('E_UNKNOWN_TICKET')];
    const { said, left } = await tell([...expired, ...expired, notAllowed, notAllowed, ...expired]);
    expect(said.match(/Silence is never a yes/g)).toHaveLength(3);
    expect(left).toBe(0);
  });

  test('a decision that is still on its way is waited for', async () => {
    const slow = [pending, pending, pending, done];
    const { left } = await tell([...slow, done, notAllowed, notAllowed, notAllowed]);
    expect(left).toBe(0);
  });

  test('anything else than was told fails', async () => {
    await expect(tell([refused('E_INTERNAL')])).rejects.toThrow('E_INTERNAL');
    await expect(tell([pending, done, done, done])).rejects.toThrow('E_NOT_ALLOWED');
  });
});
