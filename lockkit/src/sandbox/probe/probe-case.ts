// One probe: an attempt that a sandboxed program may make, and how it must end. The cases are data, in
// conformance/probes/sandbox-probes.json; the steps are told to the probe program (lockkit/native/test/probe.c).
// Read by the sandbox's tests and by the conformance suite. It must never hold a result that was not measured.
import { z } from 'zod';

const words = z.union([z.string(), z.array(z.string()).min(1)]);

const probeCase = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  attempt: z.string(),
  /** `CALL ARG…` or `@SCENARIO ARG…`; `~` before one whose result does not count. */
  steps: z.array(z.string()).min(1),
  /** The result inside: the first error, else the last words, else "ok"; or how the run ended. */
  expected: words,
  /** What the attempt would be good for. */
  attack: z.string(),
  /** The result without the sandbox, or why that cannot be tried. */
  bare: z.union([words, z.strictObject({ untried: z.string() })]),
  /** Why the bare result may equal the expected one. */
  note: z.string().optional(),
  cites: z.array(z.string()).optional(),
  on: z.literal('x64').optional(),
  input: z.enum(['program', 'script', 'i386']).optional(),
  limits: z.strictObject({ cpuS: z.number().optional(), timeoutMs: z.number().optional() }).optional(),
  /** Calls that a scenario makes, where its steps do not name them. */
  exercises: z.array(z.string()).optional(),
});

export type ProbeCase = z.infer<typeof probeCase>;

/** Throws on a file that is not a list of probes with distinct names. */
export function parseProbeCases(text: string): readonly ProbeCase[] {
  const cases = z.array(probeCase).parse(JSON.parse(text));
  if (new Set(cases.map(({ name }) => name)).size !== cases.length)
    throw new Error('probes: a name occurs twice');
  return cases;
}

export function meets(expected: string | readonly string[], got: string): boolean {
  return typeof expected === 'string' ? expected === got : expected.includes(got);
}

/** The calls a probe makes, as far as its steps and `exercises` name them. */
export function callsOf(probe: ProbeCase): readonly string[] {
  const named = probe.steps.map((step) => step.replace(/^~/, '').split(' ')[0] ?? '');
  return [...named.filter((call) => /^[a-z]/.test(call)), ...(probe.exercises ?? [])];
}
