// The fetched files of a session, by handle: whose they are, what was asked of them, what they answered. In memory
// only; the bytes lie in the workspace. A handle is good for the account that got it and for nobody else.
import { closeSync } from 'node:fs';
import { refused, accepted, type Outcome } from 'lockkit/contract';
import type { AnswerResult } from '../later/shapes.js';
import type { FetchedFile } from '../sources/fetch-object.js';
import type { Workspace } from '../sources/workspace.js';
import { countAnswers, questionId, type Question } from './question.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HANDLE_CHARACTERS = 6;
/** Fetched files that one account may hold at once. */
export const MAX_HANDLES_PER_PEER = 32;

/** `count` characters of 0-9A-Za-z, each equally likely. `bytes` gives that many random bytes. */
export function randomWord(count: number, bytes: (count: number) => Uint8Array): string {
  let word = '';
  while (word.length < count)
    for (const byte of bytes(count)) if (byte < 248 && word.length < count) word += ALPHABET[byte % 62];
  return word;
}

export interface FileHandle {
  readonly id: string;
  readonly peerUid: number;
  readonly key: string;
  readonly file: FetchedFile;
  /** Questions that were started on it, by id, and their released answers. */
  readonly questions: ReadonlyMap<string, AnswerResult | null>;
  /** The answers those questions count for. */
  readonly counted: number;
}

interface HandleState extends FileHandle {
  readonly questions: Map<string, AnswerResult | null>;
  counted: number;
  /** Runs that read the file now: it is closed when the last one is done. */
  users: number;
  released: boolean;
}

export class HandleTable {
  readonly #handles = new Map<string, HandleState>();
  readonly #fetching = new Map<string, { readonly peerUid: number }>();
  readonly #workspace: Workspace;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor(workspace: Workspace, randomBytes: (count: number) => Uint8Array) {
    this.#workspace = workspace;
    this.#randomBytes = randomBytes;
  }

  get size(): number {
    return this.#handles.size;
  }

  /** An id for a file that is about to be fetched; it counts for the account until it is added or dropped. */
  begin(peerUid: number): Outcome<string, 'E_TOO_MANY_HANDLES'> {
    const held = [...this.#handles.values(), ...this.#fetching.values()];
    if (held.filter((handle) => handle.peerUid === peerUid).length >= MAX_HANDLES_PER_PEER)
      return refused('E_TOO_MANY_HANDLES');
    const id = this.#makeId();
    this.#fetching.set(id, { peerUid });
    return accepted(id);
  }

  /** The fetch failed. */
  drop(id: string): void {
    this.#fetching.delete(id);
    this.#workspace.remove(id);
  }

  #makeId(): string {
    const id = `f_${randomWord(HANDLE_CHARACTERS, this.#randomBytes)}`;
    return this.#handles.has(id) || this.#fetching.has(id) ? this.#makeId() : id;
  }

  /** The file of an id that `begin` gave. */
  add(id: string, key: string, file: FetchedFile): FileHandle {
    const begun = this.#fetching.get(id);
    if (begun === undefined) throw new Error('a fetch ended that never began');
    this.#fetching.delete(id);
    const { peerUid } = begun;
    const handle = { id, peerUid, key, file, questions: new Map(), counted: 0, users: 0, released: false };
    this.#handles.set(id, handle);
    return handle;
  }

  find(id: string, peerUid: number): FileHandle | undefined {
    const handle = this.#handles.get(id);
    return handle?.peerUid === peerUid ? handle : undefined;
  }

  /**
   * Counts the questions that are new to the handle, in one step, so that two runs at once cannot both take the last
   * place. What was reserved stays counted, whatever becomes of the run.
   */
  reserve(
    id: string,
    questions: readonly Question[],
    max: number,
  ): Outcome<void, 'E_UNKNOWN_HANDLE' | 'E_TOO_MANY_PLUGINS'> {
    const handle = this.#handles.get(id);
    if (handle === undefined) return refused('E_UNKNOWN_HANDLE');
    const fresh = questions.filter((question) => !handle.questions.has(questionId(question)));
    const counted = fresh.reduce((sum, question) => sum + countAnswers(question), handle.counted);
    if (counted > max) return refused('E_TOO_MANY_PLUGINS');
    for (const question of fresh) handle.questions.set(questionId(question), null);
    handle.counted = counted;
    return accepted(undefined);
  }

  /** Keeps the file open while `use` reads it, a release in between notwithstanding. */
  async using<T>(id: string, use: (file: FetchedFile) => Promise<T>): Promise<T> {
    const handle = this.#handles.get(id);
    if (handle === undefined) throw new Error('a run holds a handle that does not exist');
    handle.users++;
    try {
      return await use(handle.file);
    } finally {
      handle.users--;
      if (handle.released && handle.users === 0) closeSync(handle.file.fd);
    }
  }

  /** Records an answer that is about to be released. */
  record(id: string, question: Question, answer: AnswerResult): void {
    this.#handles.get(id)?.questions.set(questionId(question), answer);
  }

  /** Deletes the file; the handle is unknown from now on. */
  release(id: string): void {
    const handle = this.#handles.get(id);
    if (handle === undefined) return;
    this.#handles.delete(id);
    this.#workspace.remove(id);
    handle.released = true;
    if (handle.users === 0) closeSync(handle.file.fd);
  }

  releaseAll(): void {
    for (const id of this.#handles.keys()) this.release(id);
  }
}

/** The released answers of a handle, in the order in which they were asked. */
export function releasedAnswers({ questions }: FileHandle): readonly AnswerResult[] {
  return [...questions.values()].filter((answer) => answer !== null);
}
