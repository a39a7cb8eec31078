// What an agent in its own account may try against any lock's console in another, as data: each with the shell that
// tries it and the answer of the kernel or the lock that must stop it. For tests of the account boundary alone.

export interface AttackedConsole {
  readonly lock: string;
  readonly pid: number;
  readonly tty: string;
  readonly tmux: string;
  readonly home: string;
  readonly account: string;
  readonly agent: string;
  readonly group: string;
  /** What the lock guards: a key, a file. */
  readonly secret: string;
  readonly policy: string;
  readonly auditLog: string;
  readonly socket: string;
  readonly project: string;
  readonly profile: string;
}

export interface Attempt {
  readonly name: string;
  /** Run by `sh -c` as the agent; it must not end with 0. */
  readonly script: string;
  readonly stoppedBy: RegExp;
  /** Root can do it, so the attempt itself is real. */
  readonly control?: true;
}

export interface AttemptEnd {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const DENIED = /Permission denied|Operation not permitted|cannot access|EACCES|EPERM/;

/** A system call from Python, because a shell has none of its own; prints the error's name. */
export function call(body: string): string {
  const lines = [
    'import ctypes, os, errno, sys, fcntl, socket',
    'c = ctypes.CDLL(None, use_errno=True)',
    'def must(r):',
    '  if r == -1: e = ctypes.get_errno(); print(errno.errorcode[e]); sys.exit(9)',
    body,
  ];
  return `python3 -c '${lines.join('\n')}'`;
}

export function attemptsOnConsole(target: AttackedConsole): readonly Attempt[] {
  return [
    ...onSecret(target),
    ...onMemory(target),
    ...onRecords(target),
    ...onTerminal(target),
    ...onProgram(target),
    ...onSocket(target),
  ];
}

/** Those that were not stopped, or not by what must stop them, or that showed `marker`. */
export function notStopped(
  attempts: readonly Attempt[],
  run: (script: string) => AttemptEnd,
  marker: string,
): readonly string[] {
  return attempts.flatMap(({ name, script, stoppedBy }) => {
    const { exit, stdout, stderr } = run(script);
    const said = `${stdout}${stderr}`;
    const stopped = exit !== 0 && stoppedBy.test(said) && !said.includes(marker);
    return stopped ? [] : [`${name}: exit ${String(exit)}: ${said.slice(0, 300)}`];
  });
}

/** Of those that root can do, the ones that root could not: such an attempt proves nothing. */
export function notPossible(
  attempts: readonly Attempt[],
  run: (script: string) => AttemptEnd,
): readonly string[] {
  return attempts
    .filter(({ control }) => control === true)
    .flatMap(({ name, script }) => {
      const { exit, stdout, stderr } = run(script);
      return exit === 0 ? [] : [`${name}: exit ${String(exit)}: ${`${stdout}${stderr}`.slice(0, 300)}`];
    });
}

function onSecret({ lock, secret, home, account, pid }: AttackedConsole): readonly Attempt[] {
  return [
    { name: 'reads the secret', script: `cat ${secret}`, stoppedBy: DENIED, control: true },
    { name: 'lists the home', script: `ls ${home}`, stoppedBy: DENIED, control: true },
    {
      name: 'enters the home',
      script: `cd ${home}`,
      stoppedBy: /cd: can't cd|Permission denied/,
      control: true,
    },
    { name: 'links the secret', script: `ln ${secret} "$HOME/stolen"`, stoppedBy: DENIED },
    {
      name: 'reads the secret through a link of its own',
      script: `ln -sf ${secret} "$HOME/l" && cat "$HOME/l"`,
      stoppedBy: DENIED,
    },
    {
      name: 'reads the secret below the console’s root folder',
      script: `cat /proc/${pid}/root${secret}`,
      stoppedBy: DENIED,
      control: true,
    },
    {
      name: 'reads what lies in the console’s working folder',
      script: `cat /proc/${pid}/cwd/.${lock}/config.toml`,
      stoppedBy: DENIED,
      control: true,
    },
    { name: 'opens the home to others', script: `chmod 0777 ${home}`, stoppedBy: DENIED },
    { name: 'takes the home', script: `chown "$(id -u)" ${home}`, stoppedBy: DENIED },
    { name: 'moves the home', script: `mv ${home} ${home}.old`, stoppedBy: DENIED },
    {
      name: 'mounts the home elsewhere',
      script: `mkdir -p "$HOME/m" && mount --bind ${home} "$HOME/m"`,
      stoppedBy: /must be superuser|not permitted|denied/i,
    },
    {
      name: 'reads the secret as root of a user namespace',
      script: `unshare --user --map-root-user cat ${secret}`,
      stoppedBy: DENIED,
    },
    {
      name: 'changes to the console’s account',
      script: `su ${account} -c id < /dev/null`,
      stoppedBy: /Authentication failure|Password/,
    },
    {
      name: 'sets its uid to the console’s',
      script: call(`must(c.setuid(os.stat("${home}").st_uid))`),
      stoppedBy: /EPERM/,
      control: true,
    },
  ];
}

function onMemory({ pid }: AttackedConsole): readonly Attempt[] {
  return [
    { name: 'reads the memory', script: `head -c 1 /proc/${pid}/mem`, stoppedBy: DENIED },
    {
      name: 'reads the memory map',
      script: `test -n "$(cat /proc/${pid}/maps)"`,
      stoppedBy: DENIED,
      control: true,
    },
    { name: 'reads the environment', script: `cat /proc/${pid}/environ`, stoppedBy: DENIED, control: true },
    { name: 'lists the open files', script: `ls /proc/${pid}/fd`, stoppedBy: DENIED, control: true },
    { name: 'traces the process', script: call(`must(c.ptrace(16, ${pid}, 0, 0))`), stoppedBy: /EPERM/ },
    {
      name: 'reads the memory across processes',
      script: call(
        `b = ctypes.create_string_buffer(8)\nclass V(ctypes.Structure): _fields_ = [("b", ctypes.c_void_p), ("n", ctypes.c_size_t)]\nl = V(ctypes.addressof(b), 8)\nr = V(0x400000, 8)\nmust(c.process_vm_readv(${pid}, ctypes.byref(l), 1, ctypes.byref(r), 1, 0))`,
      ),
      stoppedBy: /EPERM/,
    },
    {
      name: 'takes an open file out of the process',
      script: call(`f = c.syscall(434, ${pid}, 0)\nmust(f)\nmust(c.syscall(438, f, 0, 0))`),
      stoppedBy: /EPERM/,
      control: true,
    },
    { name: 'stops the process', script: `kill -STOP ${pid}`, stoppedBy: DENIED },
    { name: 'makes it write a core', script: `kill -QUIT ${pid}`, stoppedBy: DENIED },
    { name: 'allows it a core', script: `prlimit --pid ${pid} --core=unlimited`, stoppedBy: DENIED },
    {
      name: 'changes its priority for the killer',
      script: `echo 1000 > /proc/${pid}/oom_score_adj`,
      stoppedBy: DENIED,
    },
    { name: 'asks for the kernel stack', script: `cat /proc/${pid}/stack`, stoppedBy: DENIED, control: true },
  ];
}

function onRecords({ lock, policy, auditLog, home }: AttackedConsole): readonly Attempt[] {
  return [
    { name: 'reads the approved policy', script: `cat ${policy}`, stoppedBy: DENIED, control: true },
    { name: 'writes the approved policy', script: `echo '{}' > ${policy}`, stoppedBy: DENIED },
    { name: 'removes the approved policy', script: `rm -f ${policy}`, stoppedBy: DENIED },
    { name: 'reads the audit log', script: `cat ${auditLog}`, stoppedBy: DENIED, control: true },
    { name: 'appends to the audit log', script: `echo x >> ${auditLog}`, stoppedBy: DENIED },
    { name: 'cuts the audit log', script: `truncate -s 0 ${auditLog}`, stoppedBy: DENIED },
    {
      name: 'plants a configuration in the console’s home',
      script: `mkdir -p ${home}/.config/${lock}`,
      stoppedBy: DENIED,
    },
  ];
}

function onTerminal({ tty, tmux, pid }: AttackedConsole): readonly Attempt[] {
  return [
    {
      name: 'reads the terminal',
      script: `dd if=${tty} of=/dev/null bs=1 count=1 iflag=nonblock`,
      stoppedBy: DENIED,
    },
    { name: 'writes on the terminal', script: `echo y > ${tty}`, stoppedBy: DENIED, control: true },
    {
      name: 'types on the terminal',
      script: call(`f = os.open("${tty}", os.O_RDWR | os.O_NOCTTY)\nfcntl.ioctl(f, 0x5412, b"y")`),
      stoppedBy: DENIED,
    },
    {
      name: 'writes through the console’s own descriptor',
      script: `echo y > /proc/${pid}/fd/1`,
      stoppedBy: DENIED,
    },
    {
      name: 'attaches to the terminal’s server',
      script: `tmux -S ${tmux} capture-pane -p`,
      stoppedBy: /denied|no server|error connecting/i,
      control: true,
    },
  ];
}

function onProgram({ lock, account, agent, group }: AttackedConsole): readonly Attempt[] {
  const lib = `/usr/local/lib/${lock}`;
  return [
    { name: 'replaces the command', script: `cp /bin/true /usr/local/bin/${lock}`, stoppedBy: DENIED },
    { name: 'replaces Node.js', script: `cp /bin/true ${lib}/bin/node`, stoppedBy: DENIED },
    {
      name: 'adds a file to the program',
      script: `touch ${lib}/node_modules/lockkit/dist/x.js`,
      stoppedBy: DENIED,
    },
    {
      name: 'writes system.toml',
      script: `echo "production_level = 1" >> /etc/${lock}/system.toml`,
      stoppedBy: DENIED,
    },
    { name: 'writes the boot entry', script: `echo > /etc/tmpfiles.d/${lock}.conf`, stoppedBy: DENIED },
    {
      name: 'adds itself to the console’s group',
      script: `gpasswd -a ${agent} ${account}`,
      stoppedBy: DENIED,
    },
    {
      name: 'adds the console’s account to the clients',
      script: `gpasswd -a ${account} ${group}`,
      stoppedBy: DENIED,
    },
    { name: 'installs over it', script: `${lock} install --yes`, stoppedBy: /must run as root/ },
  ];
}

function onSocket({ lock, socket, project, profile }: AttackedConsole): readonly Attempt[] {
  const folder = `/run/${lock}`;
  return [
    { name: 'lists the sockets', script: `ls ${folder}`, stoppedBy: DENIED, control: true },
    { name: 'removes the socket', script: `rm -f ${socket}`, stoppedBy: DENIED },
    {
      name: 'puts its own socket there',
      script: call(`socket.socket(socket.AF_UNIX).bind("${folder}/fake.sock")`),
      stoppedBy: DENIED,
      control: true,
    },
    { name: 'opens the socket to all', script: `chmod 0777 ${socket}`, stoppedBy: DENIED },
    {
      name: 'starts a console of its own',
      script: `cd ${project} && ${lock} console --profile ${profile}`,
      stoppedBy: /\(wrong_account\)/,
    },
    {
      name: 'starts a console as a demo would be found',
      script: `cd ${project} && LOCKKIT_DEMO_SOCKET_DIR="$HOME" ${lock} console --profile ${profile}`,
      stoppedBy: /\(wrong_account\)/,
    },
    {
      name: 'approves its own ticket by a made-up method',
      script: `cd ${project} && ${lock} approve t_0`,
      stoppedBy: /no such command/,
    },
    {
      name: 'verifies the log of another account',
      script: `cd ${project} && ${lock} audit verify --profile ${profile}`,
      stoppedBy: /no audit log/,
    },
  ];
}
