// `lockfile plugin test`: an author's plugin on fixtures, under the very sandbox of the console, with the cause of
// every failure printed. It runs without a console, in the author's account, and never on a profile's source.
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserMistake } from 'lockkit/contract';
import {
  openBinaryStore,
  renderFailureCause,
  runSandboxed,
  type SandboxEnd,
  type StoredBinary,
  type UsableKernel,
} from 'lockkit/sandbox';
import { encodeInputs, fitsInput } from '../plugin/input-values.js';
import { BINARY_FILE, MANIFEST_FILE } from '../plugin/installed-plugins.js';
import { parseManifest, type Manifest } from '../plugin/manifest.js';
import { explainMistake } from '../plugin/manifest-mistakes.js';
import { hashBytes } from '../plugin/plugin-index.js';

export interface TestWish {
  /** A folder with `plugin.toml` and `plugin`, or the program itself with its manifest beside it. */
  readonly target: string;
  /** JSON of the typed values, as the author wrote it. */
  readonly inputs: string | undefined;
  readonly files: readonly string[];
}

export interface TestResult {
  readonly file: string;
  readonly answer: 1 | 0 | null;
  readonly cause?: string;
  readonly detail?: string;
  readonly cpu_ms: number;
  readonly wall_ms: number;
}

/** One result a file, in their order. Throws UserMistake when plugin, inputs or a file cannot be used. */
export async function testPlugin(wish: TestWish, kernel: UsableKernel): Promise<readonly TestResult[]> {
  const paths = findPlugin(wish.target);
  const manifest = readManifest(paths.manifest);
  const inputs = readInputs(wish.inputs, manifest);
  const store = openBinaryStore(kernel);
  try {
    const stored = await store.store(paths.binary, hashBytes(readProgram(paths.binary)));
    if (!stored.ok) throw new UserMistake(`the plugin’s program is refused: ${stored.code}`);
    const results: TestResult[] = [];
    for (const file of wish.files) results.push(await testFile(file, manifest, stored.value, inputs));
    return results;
  } finally {
    store.close();
  }
}

function findPlugin(target: string): { readonly manifest: string; readonly binary: string } {
  if (!existsSync(target)) throw new UserMistake('the plugin does not exist');
  if (statSync(target).isDirectory())
    return { manifest: join(target, MANIFEST_FILE), binary: join(target, BINARY_FILE) };
  return { manifest: join(dirname(target), MANIFEST_FILE), binary: target };
}

function readManifest(path: string): Manifest {
  if (!existsSync(path)) throw new UserMistake(`the plugin has no ${MANIFEST_FILE} beside it`);
  const manifest = parseManifest(readFileSync(path));
  if (!manifest.ok) throw new UserMistake(`${MANIFEST_FILE}: ${explainMistake(manifest.code)}`);
  return manifest.value;
}

function readProgram(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new UserMistake('the plugin’s program cannot be read: build it first');
  }
}

/** Canonical JSON for fd 6, or undefined for a plugin without inputs. */
function readInputs(text: string | undefined, { inputs }: Manifest): Buffer | undefined {
  if (inputs.length === 0) {
    if (text !== undefined) throw new UserMistake('the plugin declares no inputs');
    return undefined;
  }
  const given = parseObject(text ?? '');
  if (Object.keys(given).length !== inputs.length)
    throw new UserMistake('--inputs must hold every input, and no other');
  const values = inputs.map((input) => {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
    if (typeof value !== 'string') throw new UserMistake(`--inputs: ${input.name} must be a text`);
    const bytes = Buffer.from(value);
    if (!fitsInput(bytes, input))
      throw new UserMistake(`--inputs: ${input.name} does not fit its kind or max_bytes`);
    return [input.name, bytes] as const;
  });
  return encodeInputs(new Map(values));
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UserMistake('the plugin has inputs: give --inputs a JSON object of texts');
  return value as Record<string, unknown>;
}

async function testFile(
  file: string,
  { protocol, limits, detail }: Manifest,
  binary: StoredBinary,
  inputs: Buffer | undefined,
): Promise<TestResult> {
  const inputFd = openFixture(file);
  try {
    const end = await runSandboxed({
      binary,
      inputFd,
      ...(inputs === undefined ? {} : { inputs }),
      detail,
      environment: { name: 'LOCKFILE_PLUGIN_PROTOCOL', value: String(protocol) },
      limits,
    });
    return resultOf(file, end);
  } finally {
    closeSync(inputFd);
  }
}

function openFixture(file: string): number {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw new UserMistake(`${basename(file)} cannot be read`);
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new UserMistake(`${basename(file)} is no regular file`);
}

function resultOf(file: string, end: SandboxEnd): TestResult {
  const measures = { cpu_ms: round(end.cpuMs), wall_ms: round(end.wallMs) };
  if (end.kind === 'failed') return { file, answer: null, cause: renderFailureCause(end.cause), ...measures };
  const detail =
    end.detail === undefined || end.detail.length === 0 ? {} : { detail: end.detail.toString('utf8') };
  return { file, answer: end.answer, ...detail, ...measures };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
