// Flags as a lock author writes them. The parameter is the flag's name with underscores.
import type { Flag } from 'lockkit/contract';

const paramOf = (name: string): string => name.replaceAll('-', '_');

export const textFlag = (name: string, placeholder: string, summary: string): Flag => ({
  name,
  param: paramOf(name),
  kind: 'text',
  placeholder,
  summary,
});

/** A whole number of at most nine digits; what is too large is the policy's to say. */
export const numberFlag = (name: string, placeholder: string, summary: string): Flag => ({
  name,
  param: paramOf(name),
  kind: 'number',
  placeholder,
  summary,
});

export const switchFlag = (name: string, summary: string): Flag => ({
  name,
  param: paramOf(name),
  kind: 'boolean',
  summary,
});

/** May be given several times; `param` where the policy's key is a plural. */
export const listFlag = (name: string, placeholder: string, summary: string, param?: string): Flag => ({
  name,
  param: param ?? paramOf(name),
  kind: 'list',
  placeholder,
  summary,
});
