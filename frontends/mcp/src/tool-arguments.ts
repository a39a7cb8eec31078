// What a client sent for a tool, as parameters of the action. Called by call-tool.ts before anything is connected.
// Models fill optional parameters with null or empty text: both mean absent. Whatever else is wrong is refused, an
// unknown name too: a misspelled `dry_run` must never run.
import { accepted, type Outcome, refused } from 'lockkit/contract';
import { type ZodObject, z } from 'zod';

export interface ToolArguments {
  /** Which console: `profile`, `instance`. */
  readonly choice: { readonly profile?: string; readonly instance?: string };
  readonly params: Readonly<Record<string, unknown>>;
}

/** On every tool, beside the action's own parameters. */
export const CHOICE_PARAMETERS = {
  profile: z.string().optional().describe('which profile, when several are configured'),
  instance: z.string().optional().describe('which console of several of the same profile'),
} as const;

/** The tool's whole input: the action's parameters and the choice of the console, nothing else. */
export function toolInput(input: ZodObject): ZodObject {
  for (const name of Object.keys(CHOICE_PARAMETERS)) {
    if (name in input.shape) throw new Error(`an action’s parameter cannot be named ${name}`);
  }
  return input.extend(CHOICE_PARAMETERS).strict();
}

/** Refuses with E_BAD_REQUEST; nothing of the arguments is told. */
export function parseToolArguments(input: ZodObject, raw: unknown): Outcome<ToolArguments, 'E_BAD_REQUEST'> {
  const shape = toolInput(input);
  const parsed = shape.safeParse(withoutBlanks(shape, raw ?? {}));
  if (!parsed.success) return refused('E_BAD_REQUEST');
  const { profile, instance, ...params } = parsed.data as { profile?: string; instance?: string };
  const choice = {
    ...(profile === undefined ? {} : { profile }),
    ...(instance === undefined ? {} : { instance }),
  };
  return accepted({ choice, params });
}

/** Drops null and '' where the parameter is known and may be absent. */
function withoutBlanks(shape: ZodObject, raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const isBlank = ([name, value]: readonly [string, unknown]): boolean =>
    (value === null || value === '') && Object.hasOwn(shape.shape, name) && isOptional(shape, name);
  return Object.fromEntries(Object.entries(raw).filter((entry) => !isBlank(entry)));
}

function isOptional(shape: ZodObject, name: string): boolean {
  const field = shape.shape[name] as z.ZodType | undefined;
  return field?.safeParse(undefined).success === true;
}
