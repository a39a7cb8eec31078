// The story of the demo, step by step: what the agent asks, what waits, what the human decides. Each step checks
// what it saw; a demo that does not go as told fails.
import type { AgentResult, StoryParts as SharedParts } from '@lockkit/tui/demo';

export interface StoryParts extends SharedParts {
  readonly turnExecOn: () => void;
  readonly logFile: string;
}

function expectStatus(result: AgentResult, status: string): void {
  if (result.status !== status && result.error?.code !== status)
    throw new Error(`the demo expected ${status}`);
}

/** Asks, waits for the human, and asks again with the ticket. */
async function askTwice({ agent, decided, say }: StoryParts, argv: readonly string[]): Promise<string> {
  const pending = await agent(['run', '--json', '--', ...argv]);
  expectStatus(pending, 'pending');
  const ticket = String(pending.ticket);
  await decided();
  say('The ticket is decided: the agent runs the same argv again with it.');
  expectStatus(await agent(['run', '--json', '--ticket', ticket, '--', ...argv]), 'done');
  return ticket;
}

export async function tellStory(parts: StoryParts): Promise<void> {
  const { agent, say, command, turnExecOn, logFile } = parts;
  say('1. The first request of a session waits for you, even when a rule allows the command.');
  await askTwice(parts, ['uptime']);
  say('2. The next allowed command runs at once, and comes back masked.');
  expectStatus(await agent(['run', '--json', '--', 'cat', logFile]), 'done');
  say('3. A command outside the rules is refused, with a hint.');
  expectStatus(await agent(['run', '--json', '--', 'id', '-un']), 'E_NOT_ALLOWED');
  say('4. Somebody sets exec = true in the policy file. That loosens, so it waits for your :review.');
  turnExecOn();
  expectStatus(await agent(['run', '--json', '--', 'id', '-un']), 'E_NOT_ALLOWED');
  await command(':review');
  say('5. Now a command outside the rules waits for you, and runs once.');
  const ticket = await askTwice(parts, ['id', '-un']);
  say('6. A ticket is used once: the same one again is refused.');
  expectStatus(await agent(['run', '--json', '--ticket', ticket, '--', 'id', '-un']), 'E_UNKNOWN_TICKET');
}
