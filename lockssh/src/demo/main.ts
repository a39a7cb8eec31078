// lockssh's demo: a real SSH server on this machine, a project with a policy, an agent. `npm start` runs it.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playDemo, type DemoScene } from '@lockkit/tui/demo';
import { locksshLock } from '../console/lockssh-lock.js';
import { demoPolicy, DEMO_PROFILE, openDemoProject } from './demo-project.js';
import { openDemoServer } from './demo-server.js';
import { tellStory } from './demo-story.js';

const commandFile = resolve(dirname(fileURLToPath(import.meta.url)), '../../bin/lockssh.cjs');

async function openScene(folder: string): Promise<DemoScene> {
  const server = await openDemoServer(folder);
  const project = openDemoProject(folder);
  const policy = demoPolicy(server.port, server.keyFile, server.knownHostsFile, project.logFile);
  project.writePolicy(policy);
  const turnExecOn = (): void => project.writePolicy({ ...policy, exec: true });
  return {
    projectRoot: project.root,
    tell: (parts) => tellStory({ ...parts, turnExecOn, logFile: project.logFile }),
    close: server.stop,
  };
}

await playDemo({ lock: locksshLock, profile: DEMO_PROFILE, commandFile, openScene }, process.argv.slice(2));
