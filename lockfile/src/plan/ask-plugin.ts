// One question about one fetched file: the plugin in its sandbox, with the typed values on fd 6. Called by a plan's
// run. Every end but an answer is a failure with one cause, which is for the audit only.
import { runSandboxed, type SandboxEnd } from 'lockkit/sandbox';
import { encodeInputs } from '../plugin/input-values.js';
import type { Question } from './question.js';

export type RunSandbox = typeof runSandboxed;

/** `fd` is the fetched file; `valueOf` gives the typed value of a placeholder. Plugin contract, "Runtime". */
export async function askPlugin(
  { plugin, bindings }: Question,
  fd: number,
  valueOf: (placeholder: string) => Uint8Array,
  signal: AbortSignal,
): Promise<SandboxEnd> {
  const { manifest, binary } = plugin;
  const values = bindings.map(({ input, placeholder }) => [input.name, valueOf(placeholder)] as const);
  const inputs = manifest.inputs.length === 0 ? undefined : encodeInputs(new Map(values));
  try {
    return await runSandboxed({
      binary,
      inputFd: fd,
      ...(inputs === undefined ? {} : { inputs }),
      detail: manifest.detail,
      environment: { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: String(manifest.protocol) },
      limits: manifest.limits,
      signal,
    });
  } finally {
    inputs?.fill(0);
  }
}
