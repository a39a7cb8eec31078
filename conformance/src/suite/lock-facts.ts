// What the suite must be told about a lock to hold it against the requirements: its exit codes and the flags that make
// a valid profile. Facts of known locks lie in conformance/locks; --describe gives those of another one.
// Everything else the suite learns from the lock itself.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserMistake } from 'lockkit/contract';

const code = z.int().min(0).max(255);
const words = z.array(z.string());

const factsShape = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9]{1,31}$/),
  exit: z.strictObject({
    ok: code,
    failed: code,
    refused: code,
    denied: code,
    no_console: code,
    usage: code,
  }),
  /** Flags of `profile add` that make a valid profile, beside --profile. */
  target: words,
  /** Others, for a second profile. */
  other_target: words,
  /** The TOML lines of a valid profile, for files that the suite writes itself. */
  target_toml: words,
  /** Flags whose value is wrong and holds `{canary}`; the output must name `key`. */
  bad_targets: z.array(z.strictObject({ flags: words, key: z.string() })),
  /** An action of the agent, and parameters on the wire, that a running console would take. */
  action: z.strictObject({
    argv: words,
    method: z.string(),
    params: z.record(z.string(), z.json()),
    /** The same as an MCP tool, and arguments for it. */
    tool: z.string(),
    arguments: z.record(z.string(), z.json()),
    /** A result that a console would give. */
    result: z.record(z.string(), z.json()),
  }),
  /** The MCP tools that there must be. */
  tools: words,
});

export type LockFacts = z.infer<typeof factsShape>;

/** Reads one file of facts. Throws UserMistake with the place. */
export function readLockFacts(path: string): LockFacts {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UserMistake(`${path}: not a readable JSON file`);
  }
  const parsed = factsShape.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UserMistake(
    `${path}: ${issue?.path.join('.') ?? ''} is not as it must be (conformance/README.md)`,
  );
}

/** The facts of a known lock, or undefined. */
export function findLockFacts(folder: string, name: string): LockFacts | undefined {
  return readdirSync(folder).includes(`${name}.json`)
    ? readLockFacts(join(folder, `${name}.json`))
    : undefined;
}

/** The facts of every known lock, to find out which flags a lock that nobody described takes. */
export function allLockFacts(folder: string): readonly LockFacts[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => readLockFacts(join(folder, file)));
}

type Target = Pick<LockFacts, 'target' | 'other_target' | 'target_toml' | 'bad_targets'>;

/** A profile that needs nothing but its name. */
export const NO_TARGET: Target = { target: [], other_target: [], target_toml: [], bad_targets: [] };

/** Of a lock that nobody described: nothing is known of its actions. */
export function plainFacts(name: string, usage: number, target: Target): LockFacts {
  return {
    name,
    exit: { ok: 0, failed: 1, refused: 1, denied: 1, no_console: 1, usage },
    target: target.target,
    other_target: target.other_target,
    target_toml: target.target_toml,
    bad_targets: target.bad_targets,
    action: { argv: [], method: '', params: {}, tool: '', arguments: {}, result: {} },
    tools: [`${name}_status`],
  };
}
