// The small forms that all messages of the hub share (docs/hub-protocol.md, section 1), as schemas.
// Used by the schemas of tickets, decisions and requests; each accepts one spelling only.
import { z } from 'zod';
import { decodeExact, isKeyText } from './signing.js';
import { isTicketId } from './ticket.js';

export const idSchema = z.string().refine(isTicketId);
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** 32 bytes in base64url: a public key, a token, a challenge, a session. */
export const keySchema = z.string().max(43).refine(isKeyText);
export const signatureSchema = z
  .string()
  .max(86)
  .refine((text) => decodeExact(text, 64) !== null);
/** `2026-01-31T12:00:00.000Z`. */
export const timeSchema = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
  .refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text);
