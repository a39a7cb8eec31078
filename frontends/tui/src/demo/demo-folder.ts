// The demo's throwaway folder: where its console keeps its socket, state and configuration.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoFolder } from 'lockkit/console';

export function demoFolder(folder: string): DemoFolder {
  return {
    socketDir: join(folder, 'run'),
    stateDir: join(folder, 'state'),
    configHome: join(folder, 'config'),
  };
}

export function makeDemoFolder(folder: string): DemoFolder {
  const demo = demoFolder(folder);
  for (const path of Object.values(demo)) mkdirSync(path, { mode: 0o700 });
  return demo;
}
