// The story of lockfile's demo: what an agent may ask about a file that it never sees. A no, or no answer at all, is told
// and the story goes on; what is neither that nor as told fails.
import type { AgentResult, StoryParts } from '@lockkit/tui/demo';

export const DEMO_KEY = 'invoices/2026/10/abc123.pdf';

interface Answers extends AgentResult {
  readonly handle?: string;
  readonly answers?: readonly { readonly plugin: string; readonly result: 1 | 0 | null }[];
}

const TOLD: Readonly<Record<string, string>> = {
  E_DENIED: 'You said no: nothing was fetched, nothing was answered, and the agent is told to stop.',
  E_NO_ANSWER: 'Nobody decided in five minutes: the question was withdrawn. Silence is never a yes.',
};

/** The handle; null: the human did not say yes. */
function expectAnswers(
  result: Answers,
  wanted: readonly (1 | 0 | null)[],
  say: (text: string) => void,
): string | null {
  const sentence = TOLD[result.error?.code ?? ''];
  if (sentence !== undefined) {
    say(sentence);
    return null;
  }
  const got = result.answers?.map(({ result: answer }) => answer);
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`the demo expected ${JSON.stringify(wanted)}`);
  return String(result.handle);
}

function expectRefusal(result: AgentResult, code: string): void {
  if (result.error?.code !== code) throw new Error(`the demo expected ${code}`);
}

export async function tellStory({ agent, say }: StoryParts): Promise<void> {
  const plan = (...argv: readonly string[]): Promise<Answers> => agent(['plan', ...argv, '--run', '--json']);
  say(
    '1. The agent asks two yes/no questions about a file. You see which, and say yes or no; then the file is fetched,\n' +
      '   each plugin reads it in its own sandbox, and 1 or 0 is all that leaves.',
  );
  const handle = expectAnswers(
    await plan('--key', DEMO_KEY, '--plugin', 'file.non-empty', '--plugin', 'format.is-pdf'),
    [1, 1],
    say,
  );
  if (handle !== null) {
    say('2. One more question about the same file: no new fetch, but you are asked again.');
    expectAnswers(await plan('--handle', handle, '--plugin', 'format.is-png'), [0], say);
  }
  say(
    '3. What leaves the profile’s folder, or tries to smuggle a value into a question, is refused before anything is touched.',
  );
  expectRefusal(await plan('--key', '../../etc/passwd', '--plugin', 'file.non-empty'), 'E_BAD_KEY');
  expectRefusal(
    await plan('--key', DEMO_KEY, '--plugin', 'text.contains', '--input', 'text.contains.needle=Alice'),
    'E_LITERAL_INPUT',
  );
  if (handle === null) return;
  say('4. What was answered can be read again; then the fetched copy goes.');
  await agent(['answers', handle, '--json']);
  await agent(['release', handle, '--json']);
  expectRefusal(await agent(['answers', handle, '--json']), 'E_UNKNOWN_HANDLE');
}
