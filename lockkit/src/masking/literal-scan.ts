// Finds every one of some hundred literals, in any case, in one pass over the bytes (Aho-Corasick as a full table),
// and the digit runs on the way. Called by scan.ts and encoded-forms.ts; the pass must stay a few instructions a byte.

/** A compiled set of literals. States from `firstEnd` on are those in which literals end. */
export interface LiteralTable {
  readonly classOf: Uint8Array;
  readonly next: Uint16Array;
  readonly shift: number;
  readonly firstEnd: number;
  /** By state − firstEnd: the indices of the literals that end there. */
  readonly outputs: readonly (readonly number[])[];
  readonly lengths: readonly number[];
}

interface Node {
  readonly edges: Map<number, number>;
  readonly output: number[];
  fail: number;
}

const MAX_STATES = 65_536;

/** Builds the table for lower-case ASCII literals, none of them empty. */
export function compileLiterals(literals: readonly string[]): LiteralTable {
  const { classOf, shift } = classifyBytes(literals);
  const nodes = buildTrie(literals, classOf);
  if (nodes.length > MAX_STATES) throw new Error('too many literals for one table');
  const next = new Uint16Array(nodes.length << shift);
  linkFailures(nodes, next, shift);
  const lengths = literals.map((literal) => literal.length);
  return { classOf, shift, lengths, ...endsLast(nodes, next, shift) };
}

/**
 * Calls `onEnd(literal, end)` for each literal that ends at `end`, and `onDigits(start, end)` for each maximal run of
 * ASCII digits, in order.
 */
export function scanLiterals(
  table: LiteralTable,
  bytes: Uint8Array,
  length: number,
  onEnd: (literal: number, end: number) => void,
  onDigits: (start: number, end: number) => void,
): void {
  const { classOf, next, shift, firstEnd, outputs } = table;
  let state = 0;
  let digitsFrom = -1;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (digitsFrom < 0) digitsFrom = at;
    } else if (digitsFrom >= 0) {
      onDigits(digitsFrom, at);
      digitsFrom = -1;
    }
    state = next[(state << shift) | (classOf[byte] as number)] as number;
    if (state < firstEnd) continue;
    const ended = outputs[state - firstEnd] as readonly number[];
    for (let i = 0; i < ended.length; i++) onEnd(ended[i] as number, at + 1);
  }
  if (digitsFrom >= 0) onDigits(digitsFrom, length);
}

function classifyBytes(literals: readonly string[]): { classOf: Uint8Array; shift: number } {
  const classOf = new Uint8Array(256);
  let classes = 1;
  for (const byte of Buffer.from(literals.join(''), 'latin1')) {
    if (classOf[byte] !== 0) continue;
    classOf[byte] = classes;
    if (byte >= 0x61 && byte <= 0x7a) classOf[byte - 32] = classes;
    classes += 1;
  }
  return { classOf, shift: Math.max(1, Math.ceil(Math.log2(classes))) };
}

function buildTrie(literals: readonly string[], classOf: Uint8Array): Node[] {
  const nodes: Node[] = [{ edges: new Map(), output: [], fail: 0 }];
  literals.forEach((literal, index) => {
    let state = 0;
    for (const byte of Buffer.from(literal, 'latin1')) {
      const edges = (nodes[state] as Node).edges;
      const cls = classOf[byte] as number;
      let to = edges.get(cls);
      if (to === undefined) {
        to = nodes.push({ edges: new Map(), output: [], fail: 0 }) - 1;
        edges.set(cls, to);
      }
      state = to;
    }
    (nodes[state] as Node).output.push(index);
  });
  return nodes;
}

function linkFailures(nodes: readonly Node[], next: Uint16Array, shift: number): void {
  const order = [0];
  for (let at = 0; at < order.length; at++) {
    const state = order[at] as number;
    const node = nodes[state] as Node;
    for (let cls = 0; cls < 1 << shift; cls++) {
      const viaFail = state === 0 ? 0 : (next[(node.fail << shift) | cls] as number);
      const to = node.edges.get(cls);
      next[(state << shift) | cls] = to ?? viaFail;
      if (to === undefined) continue;
      const child = nodes[to] as Node;
      child.fail = viaFail;
      child.output.push(...(nodes[viaFail] as Node).output);
      order.push(to);
    }
  }
}

/** Renumbers the states so that one comparison tells whether something ends. */
function endsLast(
  nodes: readonly Node[],
  next: Uint16Array,
  shift: number,
): Pick<LiteralTable, 'next' | 'firstEnd' | 'outputs'> {
  const states = nodes.map((_node, state) => state);
  const plain = states.filter((state) => (nodes[state] as Node).output.length === 0);
  const ending = states.filter((state) => (nodes[state] as Node).output.length > 0);
  const renamed = new Uint16Array(nodes.length);
  [...plain, ...ending].forEach((state, name) => {
    renamed[state] = name;
  });
  const moved = new Uint16Array(next.length);
  next.forEach((to, at) => {
    const from = renamed[at >> shift] as number;
    moved[(from << shift) | (at & ((1 << shift) - 1))] = renamed[to] as number;
  });
  return {
    next: moved,
    firstEnd: plain.length,
    outputs: ending.map((state) => (nodes[state] as Node).output),
  };
}
