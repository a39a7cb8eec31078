// The demo's policy as TOML text. Values are the demo's own; JSON strings are valid TOML basic strings.
import { DEMO_PROFILE } from './demo-project.js';

export interface DemoPolicy {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly key: string;
  readonly known_hosts: string;
  readonly exec: boolean;
  readonly allow: readonly string[];
}

export function encodeDemoPolicy(policy: DemoPolicy): string {
  const lines = Object.entries(policy).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[profiles.${DEMO_PROFILE}]\n${lines.join('\n')}\n`;
}
