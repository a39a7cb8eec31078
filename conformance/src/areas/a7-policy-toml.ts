// Area A7: does a policy file load? Runs lockssh's profile through the real loader. The cases that are told in words
// (`file`) are scenario tests beside this file. `got` is {accepted, value?}: value = the only profile's policy.
import { loadPolicies, type LoadedPolicy } from 'lockkit/policy';
import { sshProfile, type SshPolicy } from '@lockkit/lockssh/profile';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';

function load(bytes: Uint8Array): Json {
  const sources = { project: { config: { name: 'config.toml', bytes } } };
  const loaded = loadPolicies(sshProfile, sources, { checkPattern: () => null });
  if (!loaded.ok) return { accepted: false, codes: loaded.problems.map(({ code }) => code) };
  const [only] = [...loaded.value.values()];
  return only === undefined ? { accepted: true } : { accepted: true, value: policyJson(only) };
}

function policyJson({ policy }: LoadedPolicy<SshPolicy>): JsonObject {
  return JSON.parse(JSON.stringify(policy)) as JsonObject;
}

function judge(_input: JsonObject, expected: JsonObject, got: Json): string | null {
  const answer = got as JsonObject;
  if (answer['accepted'] !== expected['accepted'])
    return `accepted is ${String(answer['accepted'])}, expected ${String(expected['accepted'])}`;
  const value = (answer['value'] ?? {}) as JsonObject;
  for (const [key, want] of Object.entries((expected['value'] ?? {}) as JsonObject))
    if (JSON.stringify(value[key]) !== JSON.stringify(want)) return `${key} differs`;
  return null;
}

const text: Kind = { run: (input) => load(new TextEncoder().encode(String(input['toml']))), judge };
const bytes: Kind = { run: (input) => load(Buffer.from(String(input['hex']), 'hex')), judge };

export const kinds: Kinds = { policy: text, policy_gen: text, policy_bytes: bytes };
