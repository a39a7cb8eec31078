// What a hub answers when it refuses: code, HTTP status, a fixed sentence (docs/hub-protocol.md, section 9).
// Written by the server, read by the clients. Nothing of a request may ever enter a sentence.

export const HUB_CODES = {
  E_UNAUTHORIZED: { status: 401, meaning: 'no token, no session, or one that is not known' },
  E_FORBIDDEN: { status: 403, meaning: 'this is not for locks, not for deciders, or not for this lock' },
  E_BAD_REQUEST: { status: 400, meaning: 'not the shape of the protocol' },
  E_BAD_DECISION: { status: 400, meaning: 'not the shape of a decision' },
  E_TOO_LARGE: { status: 413, meaning: 'over a size that the protocol names' },
  E_BUSY: { status: 429, meaning: 'too many requests, streams or waiting tickets' },
  E_UNKNOWN_PATH: { status: 404, meaning: 'no such path or method' },
  E_UNKNOWN_TICKET: { status: 404, meaning: 'no such ticket, or not of this lock' },
  E_DUPLICATE: { status: 409, meaning: 'the id is taken by another ticket' },
  E_NOT_PENDING: { status: 409, meaning: 'the ticket’s state does not allow it' },
  E_UNKNOWN_SEQ: { status: 409, meaning: 'the hub never reached that number' },
  E_NO_CONSOLE: { status: 409, meaning: 'no console was announced with this token' },
  E_UNKNOWN_DECIDER: { status: 422, meaning: 'the decision is not by a decider of this hub' },
  E_BAD_SIGNATURE: { status: 422, meaning: 'the signature is not that key’s over this' },
  E_OTHER_TICKET: { status: 422, meaning: 'the decision is about another ticket' },
  E_BAD_ROLE: { status: 422, meaning: 'the decider’s role does not sign such a rule' },
  E_NEVER_AUTO: { status: 422, meaning: 'only a human may approve this ticket' },
  E_EXPIRED: { status: 422, meaning: 'the ticket’s time is over or has not begun' },
  E_STORE: { status: 503, meaning: 'the record cannot be written or read now: ask again' },
  E_INTERNAL: { status: 500, meaning: 'an error of the hub' },
} as const;

export type HubCode = keyof typeof HUB_CODES;

export function isHubCode(text: string): text is HubCode {
  return Object.hasOwn(HUB_CODES, text);
}

/** Thrown inside the server, answered at its one boundary. */
export class HubRefusal extends Error {
  override readonly name = 'HubRefusal';
  readonly code: HubCode;
  constructor(code: HubCode) {
    super(code);
    this.code = code;
  }
}
