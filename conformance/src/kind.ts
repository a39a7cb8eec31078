// One kind of case: how our adapter runs its input, and how an answer (ours or another kit's) is judged.
// The areas (areas/*.ts) fill it in; the runner calls it. A judge must never run the input itself.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface Kind {
  /** What our kit gives for this input; the shape is documented beside each kind. */
  readonly run: (input: JsonObject) => Json | Promise<Json>;
  /** null when `got` meets `expected`, else one line that says what differs. */
  readonly judge: (input: JsonObject, expected: JsonObject, got: Json) => string | null;
}

export type Kinds = Readonly<Record<string, Kind>>;
