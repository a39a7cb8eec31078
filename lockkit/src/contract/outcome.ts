// What a check or an action gives back: a value, or a refusal by its code.
// Called by every stage of a request. A refusal carries nothing of the request and no cause.

/** Either a value or the code of a refusal (a row of the lock's refusal table). */
export type Outcome<T, Code extends string = string> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: Code };

export function accepted<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refused<Code extends string>(code: Code): { readonly ok: false; readonly code: Code } {
  return { ok: false, code };
}
