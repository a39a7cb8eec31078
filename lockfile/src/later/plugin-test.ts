// `lockfile plugin test DIR|BINARY [--inputs JSON] FILE…`: for plugin authors. Exit code 0 when every file got an answer.
import { printJson, type CommandArguments, type CommandIo } from '@lockkit/cli';
import { visibleText } from 'lockkit/approval';
import { UserMistake } from 'lockkit/contract';
import { requireSandbox } from 'lockkit/sandbox';
import { testPlugin, type TestResult } from '../author/test-plugin.js';

function renderResult({ file, answer, cause, detail, cpu_ms: cpu, wall_ms: wall }: TestResult): string {
  const got = answer === null ? `no answer: ${cause ?? ''}` : String(answer);
  const line = `${visibleText(file)}  ${got}  (cpu ${cpu} ms, wall ${wall} ms)\n`;
  return detail === undefined ? line : `${line}  detail: ${visibleText(detail)}\n`;
}

export async function runPluginTest(
  { flags, operands, json }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const [target, ...files] = operands;
  if (target === undefined || files.length === 0)
    throw new UserMistake('plugin test needs a plugin and at least one file');
  const { inputs } = flags as { readonly inputs?: string };
  const results = await testPlugin({ target, inputs, files }, await requireSandbox());
  if (json) printJson(io, { results });
  else for (const result of results) io.out(renderResult(result));
  return results.every(({ answer }) => answer !== null) ? 0 : 1;
}
