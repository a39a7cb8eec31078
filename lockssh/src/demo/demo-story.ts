// The story of the demo, step by step: what the agent asks, what waits, what the human decides. A no, or no answer at
// all, is told and the story goes on; what is neither that nor as told fails.
import type { AgentResult, StoryParts as SharedParts } from '@lockkit/tui/demo';

export interface StoryParts extends SharedParts {
  readonly turnExecOn: () => void;
  readonly logFile: string;
}

/** `closed`: nobody decided in time, or the ticket was withdrawn. */
type Outcome = 'done' | 'denied' | 'closed' | 'not_allowed';

const ENDS: Readonly<Record<string, Outcome>> = {
  E_DENIED: 'denied',
  E_UNKNOWN_TICKET: 'closed',
  E_NOT_ALLOWED: 'not_allowed',
};

const TOLD: Readonly<Record<Exclude<Outcome, 'done'>, string>> = {
  denied:
    'You said no: nothing ran, and the agent is told to stop. The same request is refused for ten minutes.',
  closed: 'Nobody decided it in ten minutes: the ticket expired, nothing ran. Silence is never a yes.',
  not_allowed: 'No rule allows it: nothing ran.',
};

/** How often a decision may still be on its way to the console when the agent asks. */
const MAX_PENDING = 50;

function statusOf({ status, error }: AgentResult): string {
  return status ?? error?.code ?? 'nothing';
}

function expectStatus(result: AgentResult, status: string): void {
  if (statusOf(result) !== status) throw new Error(`the demo expected ${status}, not ${statusOf(result)}`);
}

function outcomeOf(result: AgentResult): Outcome {
  const status = statusOf(result);
  const end = status === 'done' ? status : ENDS[status];
  if (end === undefined) throw new Error(`the demo did not expect ${status}`);
  return end;
}

/** Asks; where that waits for the human, asks again with the ticket once it is decided. */
async function ask(
  { agent, decided, say }: StoryParts,
  argv: readonly string[],
): Promise<{ readonly outcome: Outcome; readonly ticket?: string }> {
  let result = await agent(['run', '--json', '--', ...argv]);
  const ticket = result.status === 'pending' ? String(result.ticket) : undefined;
  if (ticket !== undefined) {
    await decided(ticket);
    say('The ticket is closed: the agent runs the same argv again with it.');
    for (let tries = 0; result.status === 'pending' && tries < MAX_PENDING; tries++)
      result = await agent(['run', '--json', '--ticket', ticket, '--', ...argv]);
  }
  const outcome = outcomeOf(result);
  if (outcome !== 'done') say(TOLD[outcome]);
  return ticket === undefined ? { outcome } : { outcome, ticket };
}

export async function tellStory(parts: StoryParts): Promise<void> {
  const { agent, say, command, turnExecOn, logFile } = parts;
  const refusedArgv = ['run', '--json', '--', 'id', '-un'];
  say('1. The first request of a session waits for you, even when a rule allows the command.');
  const first = await ask(parts, ['uptime']);
  say(
    first.outcome === 'done'
      ? '2. The next allowed command runs at once, and comes back masked.'
      : '2. The session is still closed, so the next allowed command waits for you too. What comes back is masked.',
  );
  await ask(parts, ['cat', logFile]);
  say('3. A command outside the rules is refused, with a hint.');
  expectStatus(await agent(refusedArgv), 'E_NOT_ALLOWED');
  say('4. Somebody sets exec = true in the policy file. That loosens, so it waits for your :review.');
  turnExecOn();
  expectStatus(await agent(refusedArgv), 'E_NOT_ALLOWED');
  await command(':review');
  say('5. Once you approved that, a command outside the rules waits for you, and runs once.');
  const { outcome, ticket } = await ask(parts, ['id', '-un']);
  if (outcome === 'done' && ticket !== undefined) {
    say('6. A ticket is used once: the same one again is refused.');
    expectStatus(await agent(['run', '--json', '--ticket', ticket, '--', 'id', '-un']), 'E_UNKNOWN_TICKET');
  }
  say('That was all: every request, decision and run is in the audit log.');
}
