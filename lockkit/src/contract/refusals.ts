// The refusals every lock shares, and the shape of a lock's own table.
// Read by the console (to answer), the front-ends (to print) and the documentation. Nothing of a request enters here.

export type Retry = 'rewrite' | 'ask_user' | 'stop';

/** JSON-RPC error codes of a refusal (docs/decisions.md, "Wire"). */
export type RefusalNumber = -32001 | -32002 | -32003 | -32004 | -32005 | -32006;

export interface RefusalRow {
  readonly number: RefusalNumber;
  readonly meaning: string;
  readonly hint: string;
  readonly retry: Retry;
}

export type RefusalTable = Readonly<Record<string, RefusalRow>>;

/** What crosses to the agent: `error.data`. */
export interface RefusalData {
  readonly code: string;
  readonly hint: string;
  readonly retry: Retry;
}

export const COMMON_REFUSALS = {
  E_NO_CONSOLE: {
    number: -32005,
    meaning: 'no console is running for this profile',
    hint: 'ask the user to start the console of this profile',
    retry: 'ask_user',
  },
  E_BAD_REQUEST: {
    number: -32001,
    meaning: 'the request does not have the shape of this action',
    hint: 'compare the parameters with the action’s schema; unknown parameters are refused',
    retry: 'rewrite',
  },
  E_PROTOCOL: {
    number: -32001,
    meaning: 'client and console speak different protocol versions, or the first call was not hello',
    hint: 'ask the user to install the same version on both sides',
    retry: 'ask_user',
  },
  E_BUSY: {
    number: -32001,
    meaning: 'too many requests, connections or waiting questions',
    hint: 'stop now; the same request may be sent again after some seconds',
    retry: 'stop',
  },
  E_DENIED: {
    number: -32002,
    meaning: 'the human denied this request',
    hint: 'do not ask for it again; tell the user what you wanted to do',
    retry: 'stop',
  },
  E_NO_ANSWER: {
    number: -32003,
    meaning: 'no answer came in time',
    hint: 'tell the user that a question was waiting; ask again only when they say so',
    retry: 'ask_user',
  },
  E_NO_HUB: {
    number: -32005,
    meaning: 'this request needs a decision, and nobody who decides can be reached',
    hint: 'tell the user that the hub of this console is down; ask again only when they say so',
    retry: 'ask_user',
  },
  E_UNKNOWN_TICKET: {
    number: -32004,
    meaning: 'the ticket is unknown, used or expired, or belongs to another request',
    hint: 'send the request again without a ticket',
    retry: 'rewrite',
  },
  E_UNKNOWN_PLAN: {
    number: -32004,
    meaning: 'the plan is unknown, used or expired',
    hint: 'submit the plan again',
    retry: 'rewrite',
  },
  E_UNKNOWN_HANDLE: {
    number: -32004,
    meaning: 'the handle is unknown or released',
    hint: 'submit a new plan with the key',
    retry: 'rewrite',
  },
  E_CONNECTION: {
    number: -32005,
    meaning: 'the connection behind the lock failed or was lost',
    hint: 'tell the user; the console shows the cause',
    retry: 'ask_user',
  },
  E_POLICY_PENDING: {
    number: -32006,
    meaning: 'a policy change waits for the human, and this request needs it decided first',
    hint: 'ask the user to review the policy in the console',
    retry: 'ask_user',
  },
  E_POLICY: {
    number: -32001,
    meaning: 'no policy in force, or it does not parse',
    hint: 'ask the user',
    retry: 'ask_user',
  },
  E_AUTO_DENIED: {
    number: -32001,
    meaning: 'the profile’s auto rules deny this action',
    hint: 'only the user changes them',
    retry: 'stop',
  },
  E_STALE: {
    number: -32004,
    meaning: 'the profile changed after the approval',
    hint: 'ask again',
    retry: 'rewrite',
  },
  E_INTERNAL: {
    number: -32001,
    meaning: 'the console met an internal error and closed the request',
    hint: 'tell the user; the audit log holds the cause',
    retry: 'ask_user',
  },
} as const satisfies RefusalTable;

export type CommonCode = keyof typeof COMMON_REFUSALS;
