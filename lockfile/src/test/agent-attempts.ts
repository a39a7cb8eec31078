// What an agent in its own account may try against a running plan of lockfile, beside what is tried against any console:
// the fetched copy, the plugin's process, the installed plugins, and questions that no policy allows.
import { call, DENIED, type Attempt } from 'lockkit/console-attempts';

export interface AttackedRun {
  readonly console: number;
  /** A plugin that runs now. */
  readonly plugin: number;
  /** The console's folder of fetched files, and one of them. */
  readonly workspace: string;
  readonly copy: string;
  /** The folder of installed plugins. */
  readonly plugins: string;
  readonly project: string;
  /** The key of the file, and another outside the profile's prefix. */
  readonly key: string;
  readonly outside: string;
}

export function attemptsOnRun(run: AttackedRun): readonly Attempt[] {
  return [...onCopy(run), ...onPlugin(run), ...onInstalled(run), ...onQuestions(run)];
}

function onCopy({ console, workspace, copy }: AttackedRun): readonly Attempt[] {
  return [
    { name: 'lists the workspace', script: `ls ${workspace}`, stoppedBy: DENIED, control: true },
    { name: 'reads the fetched file', script: `cat ${copy}`, stoppedBy: DENIED, control: true },
    { name: 'links the fetched file', script: `ln ${copy} "$HOME/copy"`, stoppedBy: DENIED },
    { name: 'replaces the fetched file', script: `echo x > ${copy}`, stoppedBy: DENIED },
    { name: 'removes the workspace', script: `rm -r ${workspace}`, stoppedBy: DENIED },
    {
      name: 'opens the workspace to others',
      script: `chmod -R a+rX ${workspace}`,
      stoppedBy: DENIED,
      control: true,
    },
    {
      name: 'reads the fetched file below the console’s root folder',
      script: `cat /proc/${console}/root${copy}`,
      stoppedBy: DENIED,
      control: true,
    },
  ];
}

function onPlugin({ plugin }: AttackedRun): readonly Attempt[] {
  return [
    {
      name: 'reads the file through the plugin’s descriptor',
      script: `cat /proc/${plugin}/fd/3`,
      stoppedBy: DENIED,
      control: true,
    },
    {
      name: 'takes the file out of the plugin',
      script: call(`f = c.syscall(434, ${plugin}, 0)\nmust(f)\nmust(c.syscall(438, f, 3, 0))`),
      stoppedBy: /EPERM/,
      control: true,
    },
    {
      name: 'reads the plugin’s program',
      script: `cat /proc/${plugin}/exe | head -c 1 | grep -q .`,
      stoppedBy: DENIED,
    },
    {
      name: 'reads the plugin’s memory map',
      script: `test -n "$(cat /proc/${plugin}/maps)"`,
      stoppedBy: DENIED,
      control: true,
    },
    { name: 'reads the plugin’s memory', script: `head -c 1 /proc/${plugin}/mem`, stoppedBy: DENIED },
    {
      name: 'reads how many bytes the plugin has read',
      script: `cat /proc/${plugin}/io`,
      stoppedBy: DENIED,
      control: true,
    },
    { name: 'traces the plugin', script: call(`must(c.ptrace(16, ${plugin}, 0, 0))`), stoppedBy: /EPERM/ },
    { name: 'answers in the plugin’s place', script: `echo 1 > /proc/${plugin}/fd/1`, stoppedBy: DENIED },
    { name: 'ends the plugin', script: `kill -KILL ${plugin}`, stoppedBy: DENIED },
    { name: 'stops the plugin', script: `kill -STOP ${plugin}`, stoppedBy: DENIED },
    { name: 'slows the plugin', script: `renice 19 -p ${plugin}`, stoppedBy: DENIED },
    { name: 'gives the plugin less time', script: `prlimit --pid ${plugin} --cpu=1`, stoppedBy: DENIED },
  ];
}

function onInstalled({ plugins }: AttackedRun): readonly Attempt[] {
  return [
    { name: 'lists the installed plugins', script: `ls ${plugins}`, stoppedBy: DENIED, control: true },
    {
      name: 'replaces an installed plugin',
      script: `cp /bin/true ${plugins}/file.non-empty/1.0.0/plugin`,
      stoppedBy: DENIED,
    },
    { name: 'writes the plugins’ index', script: `echo '{}' > ${plugins}/index.json`, stoppedBy: DENIED },
  ];
}

function onQuestions({ project, key, outside }: AttackedRun): readonly Attempt[] {
  const plan = (rest: string): string => `cd ${project} && lockfile plan --run ${rest}`;
  const contains = `--plugin text.contains --input text.contains.needle`;
  return [
    {
      name: 'asks about a file outside the prefix',
      script: plan(`--key ${outside} --plugin file.non-empty`),
      stoppedBy: /E_KEY_OUTSIDE_PREFIX/,
    },
    {
      name: 'climbs out of the prefix',
      script: plan(`--key invoices/../${outside} --plugin file.non-empty`),
      stoppedBy: /E_BAD_KEY/,
    },
    {
      name: 'names the file by its path',
      script: plan(`--key /etc/passwd --plugin file.non-empty`),
      stoppedBy: /E_BAD_KEY/,
    },
    {
      name: 'asks with a value of its own',
      script: plan(`--key ${key} ${contains}=4711`),
      stoppedBy: /E_LITERAL_INPUT/,
    },
    {
      name: 'asks a plugin that nobody installed',
      script: plan(`--key ${key} --plugin mind.reads`),
      stoppedBy: /E_UNKNOWN_PLUGIN/,
    },
    {
      name: 'runs a plan that it made up',
      script: `cd ${project} && lockfile run p_8Kq2xR`,
      stoppedBy: /E_UNKNOWN_PLAN/,
    },
  ];
}
