// A zod shape as the plain JSON Schema that every MCP client takes: one type a node, no $ref, no keyword that some
// client refuses (format, pattern, default, const, …). It only tells the model what to send: the zod shape decides.
// A shape that cannot be said so plainly is the lock author's mistake and is found when the tools are listed.
import { type ZodType, z } from 'zod';

export interface PlainSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly items?: PlainSchema;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | PlainSchema;
  readonly anyOf?: readonly PlainSchema[];
}

export type ObjectSchema = PlainSchema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PlainSchema>>;
};

/** `input` must be typed everywhere; `output` may hold alternatives and untyped values below its root. */
type Side = 'input' | 'output';
type Node = Readonly<Record<string, unknown>>;

export function plainInputSchema(shape: ZodType): ObjectSchema {
  return rootObject(plain(jsonSchema(shape, 'input'), 'input'));
}

export function plainOutputSchema(shape: ZodType): ObjectSchema {
  return rootObject(plain(jsonSchema(shape, 'output'), 'output'));
}

function jsonSchema(shape: ZodType, io: Side): Node {
  return z.toJSONSchema(shape, { io, target: 'draft-2020-12', reused: 'inline', cycles: 'throw' }) as Node;
}

function rootObject(schema: PlainSchema): ObjectSchema {
  if (schema.type !== 'object') throw new Error('an action’s input and output must be objects');
  return { ...schema, type: 'object', properties: schema.properties ?? {} };
}

function plain(node: Node, side: Side): PlainSchema {
  const description = typeof node['description'] === 'string' ? { description: node['description'] } : {};
  return { ...shapeOf(node, side), ...description };
}

function shapeOf(node: Node, side: Side): PlainSchema {
  const alternatives = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(alternatives))
    return joined(
      (alternatives as Node[]).map((part) => plain(part, side)),
      side,
    );
  if ('const' in node) return ofValues([node['const']], side);
  if (Array.isArray(node['enum'])) return ofValues(node['enum'], side);
  switch (node['type']) {
    case 'object':
      return ofObject(node, side);
    case 'array':
      return { type: 'array', items: itemsOf(node, side) };
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { type: node['type'] };
    default:
      return untyped(side);
  }
}

function untyped(side: Side): PlainSchema {
  if (side === 'input') throw new Error('every parameter of an action needs one plain type');
  return {};
}

function ofObject(node: Node, side: Side): PlainSchema {
  const properties = Object.entries((node['properties'] ?? {}) as Record<string, Node>);
  const required = (node['required'] ?? []) as readonly string[];
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, value]) => [name, plain(value, side)])),
    ...(required.length > 0 ? { required } : {}),
    ...(node['additionalProperties'] === false && side === 'input' ? { additionalProperties: false } : {}),
  };
}

function itemsOf(node: Node, side: Side): PlainSchema {
  if (Array.isArray(node['prefixItems']))
    return joined(
      (node['prefixItems'] as Node[]).map((part) => plain(part, side)),
      side,
    );
  return typeof node['items'] === 'object' && node['items'] !== null
    ? plain(node['items'] as Node, side)
    : untyped(side);
}

type Scalar = string | number | boolean;

function ofValues(values: readonly unknown[], side: Side): PlainSchema {
  const scalars = values.filter((value): value is Scalar =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  const types = [...new Set(scalars.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))];
  const typed = types.map((type): PlainSchema => {
    const matching = scalars.filter((value) => (Number.isInteger(value) ? 'integer' : typeof value) === type);
    return { type, enum: matching };
  });
  return joined(scalars.length < values.length ? [...typed, { type: 'null' }] : typed, side);
}

/** Alternatives as one schema that allows at least what they allow. */
function joined(parts: readonly PlainSchema[], side: Side): PlainSchema {
  const [first, ...rest] = parts.filter(({ type }) => type !== 'null');
  const nullable = parts.some(({ type }) => type === 'null') && side === 'output';
  if (first === undefined) return nullable ? { type: 'null' } : untyped(side);
  const sameType = rest.every(({ type }) => type !== undefined && type === first.type);
  if (sameType && !nullable) return rest.reduce(joinTwo, first);
  if (side === 'input') throw new Error('a parameter of an action must have one type');
  return { anyOf: nullable ? [...plainParts(first, rest, sameType), { type: 'null' }] : [first, ...rest] };
}

function plainParts(
  first: PlainSchema,
  rest: readonly PlainSchema[],
  sameType: boolean,
): readonly PlainSchema[] {
  return sameType ? [rest.reduce(joinTwo, first)] : [first, ...rest];
}

function joinTwo(a: PlainSchema, b: PlainSchema): PlainSchema {
  if (a.type === 'object') return joinObjects(a, b);
  if (a.type === 'array') return { type: 'array', items: joined([a.items ?? {}, b.items ?? {}], 'output') };
  const values =
    a.enum !== undefined && b.enum !== undefined ? [...new Set([...a.enum, ...b.enum])] : undefined;
  return {
    ...(a.type === undefined ? {} : { type: a.type }),
    ...(values === undefined ? {} : { enum: values }),
  };
}

function joinObjects(a: PlainSchema, b: PlainSchema): PlainSchema {
  const [left, right] = [a.properties ?? {}, b.properties ?? {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const properties = names.map((name) => {
    const both = [left[name], right[name]].filter((part) => part !== undefined);
    return [name, both.length === 2 ? joined(both, 'output') : (both[0] ?? {})] as const;
  });
  const required = (a.required ?? []).filter((name) => b.required?.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}
