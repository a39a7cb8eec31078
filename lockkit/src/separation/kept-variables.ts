// The environment variables that the installed starter passes on; everything else (NODE_OPTIONS, LD_*, OPENSSL_CONF,
// a proxy, a preload) stays outside. Read by the starter's text, and by the console, which refuses any other name.

/** In the starter's order. PATH is not passed on: the starter sets it. */
export const KEPT_VARIABLES = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'PWD',
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

/** Names that the starter would not have passed on, sorted. `_` and SHLVL are made by shells and mean nothing. */
export function foreignVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env)
    .filter((name) => !KEPT.has(name) && name !== '_' && name !== 'SHLVL' && name !== 'OLDPWD')
    .sort();
}
