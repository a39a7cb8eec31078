// The environment variables that the installed starter passes on; everything else (NODE_OPTIONS, LD_*, OPENSSL_CONF,
// a proxy, a preload) stays outside. Read by the starter's text, and by the console, which refuses any other name.

/** In the starter's order. PATH is not passed on: the starter sets it. */
export const KEPT_VARIABLES = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_TIME',
  'TZ',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_ID',
  'XDG_SESSION_TYPE',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'SSH_CONNECTION',
  'TMUX',
  'STY',
] as const;

/** What the starter sets itself. */
export const STARTER_PATH = '/usr/local/bin:/usr/bin:/bin';

const KEPT: ReadonlySet<string> = new Set([...KEPT_VARIABLES, 'PATH']);

/** Made by every shell for itself; they change nothing in what it starts. */
const SHELLS_OWN: ReadonlySet<string> = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD']);

/** Names that the starter would not have passed on, sorted. */
export function foreignVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env)
    .filter((name) => !KEPT.has(name) && !SHELLS_OWN.has(name))
    .sort();
}
