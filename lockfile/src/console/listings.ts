// What `sources` and `plugins` tell an agent: never a path of the console's account, never a key.
import type { FilePolicy } from '../contract/profile.js';
import type { InstalledPlugin } from '../plugin/installed-plugins.js';

export function listSources(profile: string, policy: FilePolicy): unknown {
  const { source, prefix, production, limits } = policy;
  const { max_object_bytes, max_plugins_per_handle, answer_quantum: answer_quantum_ms } = limits;
  return {
    sources: [
      { profile, source, prefix, production, max_object_bytes, max_plugins_per_handle, answer_quantum_ms },
    ],
  };
}

export function listPlugins(
  plugins: ReadonlyMap<string, InstalledPlugin>,
  { plugins: allowed }: FilePolicy,
): unknown {
  const listed = [...plugins.values()].filter(
    ({ manifest }) => allowed === 'all' || allowed.includes(manifest.name),
  );
  return { plugins: listed.map(describePlugin).toSorted((left, right) => (left.name < right.name ? -1 : 1)) };
}

function describePlugin({ manifest, marketplace, official, signed }: InstalledPlugin) {
  const { name, version, question, one, zero, accepts, detail } = manifest;
  const inputs = manifest.inputs.map(({ name: input, kind, maxBytes }) => ({
    name: input,
    kind,
    max_bytes: maxBytes,
  }));
  return { name, version, question, one, zero, accepts, inputs, detail, marketplace, official, signed };
}
