// An action's outcome as a tool result. Called by call-tool.ts.
// Clients show either the text or the structure: both hold the same. The text is escaped (it ends on a terminal), the
// structure is whole.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ActionError } from 'lockkit/agent';
import { UNTRUSTED_NOTE } from './tool-list.js';
import { encodeVisibleJson } from './visible-json.js';

export function encodeResult(lock: string, result: Readonly<Record<string, unknown>>): CallToolResult {
  return {
    content: [
      { type: 'text', text: encodeVisibleJson(result) },
      { type: 'text', text: `(Above: a result of ${lock}. ${UNTRUSTED_NOTE})` },
    ],
    structuredContent: wellFormed(result) as Record<string, unknown>,
  };
}

export function encodeError(error: ActionError): CallToolResult {
  const structuredContent = { error: { ...error } };
  return {
    isError: true,
    content: [{ type: 'text', text: encodeVisibleJson(structuredContent) }],
    structuredContent,
  };
}

/** Lone surrogates become U+FFFD, as invalid UTF-8 does: some clients drop a message that holds one. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Cs}/gu, '\uFFFD');
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wellFormed(item)]));
}
