// What a case expects of a JSON value, as data that any language can read (conformance/README.md, "Shapes").
// Called by everything that judges an answer. It gives one sentence with the place, never the whole value.
import type { Json, JsonObject } from '../kind.js';

/** A value that is not there, as against null. */
type Got = Json | undefined;
type Operator = (operand: Json, got: Got, place: string) => string | null;

const MORE = '...';

/** null when `got` is as `shape` says, else where and how it differs. */
export function checkShape(shape: Json, got: Got, place = '$'): string | null {
  if (Array.isArray(shape)) return checkList(shape, got, place);
  if (!isObject(shape)) return sameScalar(shape, got) ? null : differs(place, show(shape), got);
  const operators = Object.keys(shape).filter((key) => key.startsWith('$'));
  if (operators.length === 0) return checkObject(shape, got, place);
  for (const name of operators) {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) throw new Error(`a shape has an operator that nobody knows: ${name}`);
    const wrong = operator(shape[name] as Json, got, place);
    if (wrong !== null) return wrong;
  }
  return null;
}

export function isObject(value: Got): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameScalar(shape: Json, got: Got): boolean {
  return shape === got;
}

function show(value: Got): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`;
}

function differs(place: string, wanted: string, got: Got): string {
  return `${place} is ${show(got)}, expected ${wanted}`;
}

function checkList(shape: readonly Json[], got: Got, place: string): string | null {
  if (!Array.isArray(got)) return differs(place, 'a list', got);
  if (got.length !== shape.length)
    return `${place} has ${String(got.length)} items, expected ${String(shape.length)}`;
  return first(shape.map((item, at) => () => checkShape(item, got[at] as Json, `${place}[${String(at)}]`)));
}

function checkObject(shape: JsonObject, got: Got, place: string): string | null {
  if (!isObject(got)) return differs(place, 'an object', got);
  const wanted = Object.keys(shape).filter((key) => key !== MORE);
  const extra = Object.keys(got).find((key) => !wanted.includes(key));
  if (extra !== undefined && shape[MORE] !== true)
    return `${place} has a member that is not expected: ${show(extra)}`;
  return first(
    wanted.map((key) => () => {
      const member = Object.hasOwn(got, key) ? got[key] : undefined;
      return checkShape(shape[key] as Json, member, `${place}.${key}`);
    }),
  );
}

/** The first sentence of several checks; later ones are not made. */
function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const wrong = check();
    if (wrong !== null) return wrong;
  }
  return null;
}

function typeOf(got: Got): string {
  if (got === null) return 'null';
  return Array.isArray(got) ? 'array' : typeof got;
}

function itemsOf(got: Got): readonly Json[] | null {
  if (Array.isArray(got)) return got;
  return isObject(got) ? Object.values(got) : null;
}

/** Every object and list in a value, itself first. */
function* walk(value: Got): Generator<Json> {
  if (value === undefined) return;
  yield value;
  for (const item of itemsOf(value) ?? []) yield* walk(item);
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $type: (operand, got, place) => {
    const fits = operand === 'integer' ? Number.isSafeInteger(got) : typeOf(got) === operand;
    return fits ? null : differs(place, `a value of type ${String(operand)}`, got);
  },
  $pattern: (operand, got, place) =>
    typeof got === 'string' && new RegExp(String(operand), 'u').test(got)
      ? null
      : differs(place, `text like ${String(operand)}`, got),
  $contains: (operand, got, place) =>
    typeof got === 'string' && got.includes(String(operand))
      ? null
      : differs(place, `text with ${show(operand)}`, got),
  $one_of: (operand, got, place) =>
    (operand as readonly Json[]).some((shape) => checkShape(shape, got, place) === null)
      ? null
      : differs(place, `one of ${show(operand)}`, got),
  $all: (operand, got, place) =>
    first((operand as readonly Json[]).map((shape) => () => checkShape(shape, got, place))),
  $not: (operand, got, place) =>
    checkShape(operand, got, place) === null ? differs(place, `anything but ${show(operand)}`, got) : null,
  $optional: (operand, got, place) => (got === undefined ? null : checkShape(operand, got, place)),
  $absent: (_operand, got, place) => (got === undefined ? null : differs(place, 'nothing', got)),
  $each: (operand, got, place) => {
    const items = itemsOf(got);
    if (items === null) return differs(place, 'a list or an object', got);
    return first(items.map((item, at) => () => checkShape(operand, item, `${place}[${String(at)}]`)));
  },
  $some: (operand, got, place) =>
    (itemsOf(got) ?? []).some((item) => checkShape(operand, item, place) === null)
      ? null
      : `${place} holds nothing like ${show(operand)}`,
  $distinct: (operand, got, place) => {
    const values = (itemsOf(got) ?? []).map((item) =>
      JSON.stringify(isObject(item) ? item[String(operand)] : item),
    );
    const twice = values.find((value, at) => values.indexOf(value) !== at);
    return twice === undefined ? null : `${place} holds ${twice} twice`;
  },
  $size: (operand, got, place) => checkSize(operand as JsonObject, got, place),
  $nowhere: (operand, got, place) => {
    const banned = operand as readonly string[];
    for (const value of walk(got))
      for (const key of isObject(value) ? Object.keys(value) : [])
        if (banned.includes(key)) return `${place} has a member ${show(key)} somewhere`;
    return null;
  },
  $every_property: (operand, got, place) => {
    for (const value of walk(got)) {
      const properties = isObject(value) ? value['properties'] : undefined;
      for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
        const wrong = checkShape(operand, property, `${place}…${name}`);
        if (wrong !== null) return wrong;
      }
    }
    return null;
  },
};

export const OPERATOR_NAMES: readonly string[] = Object.keys(OPERATORS);

function checkSize({ min = 0, max = Infinity }: JsonObject, got: Got, place: string): string | null {
  const size = typeof got === 'string' ? got.length : (itemsOf(got)?.length ?? -1);
  return size >= Number(min) && size <= Number(max)
    ? null
    : `${place} has size ${String(size)}, expected ${String(min)} to ${String(max)}`;
}
