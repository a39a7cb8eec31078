// A plugin's manifest (plugin.toml): one fixed yes/no question, and nothing an agent could aim.
// Called when a plugin is installed, when a console loads its plugins, and by `plugin test`.
// An unknown key, a key of the other protocol or a `${…}` without its input never loads.
import { TomlDate, parse } from 'smol-toml';
import { z } from 'zod';
import { accepted, refused, type Outcome } from 'lockkit/contract';
import { PLUGIN_NAME } from '../contract/plugin-name.js';
import { checkInputs, INPUT_NAME, type InputKind, type ManifestInput } from './manifest-inputs.js';
import type { SandboxLimits } from 'lockkit/sandbox';
import { LIMIT_BOUNDS, parseMemory } from './plugin-limits.js';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly protocol: 1 | 2;
  readonly question: string;
  readonly one: string;
  readonly zero: string;
  /** What the author says it reads; the console does not look at types. */
  readonly accepts: readonly string[];
  readonly limits: SandboxLimits;
  /** Empty on protocol 1. */
  readonly inputs: readonly ManifestInput[];
  readonly detail: boolean;
}

export type ManifestMistake =
  | 'not_text'
  | 'not_toml'
  | 'unknown_key'
  | 'key_of_protocol_2'
  | 'bad_name'
  | 'bad_version'
  | 'bad_protocol'
  | 'bad_question'
  | 'bad_one'
  | 'bad_zero'
  | 'bad_accepts'
  | 'bad_limits'
  | 'bad_inputs'
  | 'bad_detail'
  | 'question_and_inputs_differ';

export const MAX_MANIFEST_BYTES = 16 * 1024;
export const PLUGIN_VERSION = /^(?=.{5,32}$)(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$/;
const MEDIA_TYPE = /^(?=.{3,128}$)(\*\/\*|[a-z0-9][a-z0-9.+-]*\/(\*|[a-z0-9][a-z0-9.+-]*))$/;

// One visible line: no control, no format character, no line or paragraph separator.
const LINE = /^(?! )[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]{1,500}(?<! )$/u;
const line = z.string().regex(LINE);
const seconds = (bounds: { min: number; max: number }) => z.int().min(bounds.min).max(bounds.max);

const SHAPE = z.strictObject({
  name: z.string().regex(PLUGIN_NAME),
  version: z.string().regex(PLUGIN_VERSION),
  protocol: z.literal([1, 2]),
  question: line,
  one: line,
  zero: line,
  accepts: z.array(z.string().regex(MEDIA_TYPE)).max(16).default([]),
  limits: z
    .strictObject({
      cpu_s: seconds(LIMIT_BOUNDS.cpu_s).default(LIMIT_BOUNDS.cpu_s.fallback),
      memory: z.string().optional(),
      timeout_s: seconds(LIMIT_BOUNDS.timeout_s).default(LIMIT_BOUNDS.timeout_s.fallback),
    })
    .default({ cpu_s: LIMIT_BOUNDS.cpu_s.fallback, timeout_s: LIMIT_BOUNDS.timeout_s.fallback }),
  inputs: z
    .array(
      z.strictObject({
        name: z.string().regex(INPUT_NAME),
        kind: z.enum(['text', 'email', 'digits'] satisfies InputKind[]),
        max_bytes: z.int().min(1).max(1024),
      }),
    )
    .max(4)
    .optional(),
  detail: z.boolean().optional(),
});

type Shape = z.infer<typeof SHAPE>;

/** The manifest of exactly these bytes. Implements the plugin contract, "Manifest". */
export function parseManifest(bytes: Uint8Array): Outcome<Manifest, ManifestMistake> {
  const table = parseTable(bytes);
  if (!table.ok) return table;
  const shape = SHAPE.safeParse(table.value);
  if (!shape.success) return refused(mistakeOf(shape.error));
  return checkManifest(shape.data);
}

function parseTable(bytes: Uint8Array): Outcome<unknown, 'not_text' | 'not_toml'> {
  if (bytes.byteLength > MAX_MANIFEST_BYTES) return refused('not_text');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refused('not_text');
  }
  try {
    return accepted(plain(parse(text)));
  } catch {
    return refused('not_toml');
  }
}

/** TOML dates are no value of any key here; as objects they could pass for tables. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

function mistakeOf(error: z.ZodError): ManifestMistake {
  const issue = error.issues[0];
  if (error.issues.some((one) => one.code === 'unrecognized_keys')) return 'unknown_key';
  return `bad_${String(issue?.path[0])}` as ManifestMistake;
}

function checkManifest(shape: Shape): Outcome<Manifest, ManifestMistake> {
  if (shape.protocol === 1 && (shape.inputs !== undefined || shape.detail !== undefined)) {
    return refused('key_of_protocol_2');
  }
  const inputs = checkInputs(shape.inputs ?? [], shape.question, [shape.one, shape.zero]);
  if (!inputs.ok) return inputs;
  const memory = parseMemory(shape.limits.memory ?? `${LIMIT_BOUNDS.memory.fallback / 1024}KiB`);
  if (!memory.ok) return memory;
  return accepted({
    name: shape.name,
    version: shape.version,
    protocol: shape.protocol,
    question: shape.question,
    one: shape.one,
    zero: shape.zero,
    accepts: shape.accepts,
    limits: {
      cpuS: shape.limits.cpu_s,
      memoryBytes: memory.value,
      timeoutMs: shape.limits.timeout_s * 1000,
    },
    inputs: inputs.value,
    detail: shape.detail ?? false,
  });
}
