// Finds every one of some hundred literals, in any case, in one pass over the bytes (Aho-Corasick as a full table),
// and the digit runs on the way. Called by scan.ts; the pass must stay a few instructions a byte.

/** A compiled set of literals. `outputs[state]` lists the indices of the literals that end there. */
export interface LiteralTable {
  readonly classOf: Uint8Array;
  readonly next: Uint16Array;
  readonly outputs: readonly (readonly number[] | undefined)[];
  readonly ends: Uint8Array;
  readonly shift: number;
  readonly lengths: readonly number[];
}

interface Node {
  readonly edges: Map<number, number>;
  readonly output: number[];
  fail: number;
}

const MAX_STATES = 65_536;

/** Builds the table for lower-case ASCII literals. */
export function compileLiterals(literals: readonly string[]): LiteralTable {
  const { classOf, shift } = classifyBytes(literals);
  const nodes = buildTrie(literals, classOf);
  if (nodes.length > MAX_STATES) throw new Error('too many literals for one table');
  const next = new Uint16Array(nodes.length << shift);
  const order = linkFailures(nodes, next, shift);
  const ends = new Uint8Array(nodes.length);
  const outputs = nodes.map((node) => (node.output.length > 0 ? node.output : undefined));
  for (const state of order) if ((outputs[state]?.length ?? 0) > 0) ends[state] = 1;
  return { classOf, next, outputs, ends, shift, lengths: literals.map((literal) => literal.length) };
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

function linkFailures(nodes: readonly Node[], next: Uint16Array, shift: number): readonly number[] {
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
  return order;
}
