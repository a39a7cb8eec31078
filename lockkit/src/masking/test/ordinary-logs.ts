// Ordinary server logs, made from a seed: web server, sshd, systemd, kernel, containers, package manager. They hold no
// personal data and no secret but addresses (IPv4, IPv6), each written down in `addresses`. For tests and benchmarks.

export interface LogLine {
  readonly text: string;
  /** The IP addresses of the line: true masks. */
  readonly addresses: readonly string[];
}

export interface Random {
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly hex: (length: number) => string;
  readonly digits: (length: number) => string;
}

/** mulberry32: the same seed, the same lines. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    hex: (length) => text('0123456789abcdef', length),
    digits: (length) => text('0123456789', length),
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36 Edg/119.0.2151.97',
  'curl/7.88.1',
  'kube-probe/1.28',
  'Prometheus/2.48.0',
] as const;
const UNITS = [
  'nginx',
  'cron',
  'docker',
  'ssh',
  'postgresql@15-main',
  'getty@tty1',
  'user@1000',
  'systemd-journald',
] as const;
const PATHS = [
  '/',
  '/index.html',
  '/api/v1/items',
  '/static/app.js',
  '/favicon.ico',
  '/health',
  '/wp-login.php',
] as const;

const two = (value: number): string => String(value).padStart(2, '0');

function clock(r: Random): string {
  return `${two(r.below(24))}:${two(r.below(60))}:${two(r.below(60))}`;
}

function isoTime(r: Random): string {
  return `2026-${two(1 + r.below(12))}-${two(1 + r.below(28))}T${clock(r)}`;
}

function syslog(r: Random, who: string): string {
  return `${r.pick(MONTHS)} ${String(1 + r.below(28)).padStart(2)} ${clock(r)} web-${1 + r.below(9)} ${who}[${1 + r.below(99_999)}]: `;
}

export function uuid(r: Random): string {
  return `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)}`;
}

export function version(r: Random): string {
  return `${r.below(30)}.${r.below(40)}.${r.below(200)}`;
}

function address(r: Random): string {
  if (r.below(5) === 0) return `2001:db8:${r.hex(4)}::${1 + r.below(9)}${r.hex(2)}`;
  return `${1 + r.below(222)}.${r.below(256)}.${r.below(256)}.${1 + r.below(254)}`;
}

type Writer = (r: Random, address: string) => string;

const WITH_ADDRESS: readonly Writer[] = [
  (r, ip) =>
    `${ip} - - [${two(1 + r.below(28))}/${r.pick(MONTHS)}/2026:${clock(r)} +0000] "GET ${r.pick(PATHS)}?id=${r.digits(6)} HTTP/1.1" ${r.pick(['200', '304', '404', '502'])} ${r.below(900_000)} "-" "${r.pick(AGENTS)}" rt=0.${r.digits(3)}`,
  (r, ip) =>
    `${syslog(r, 'sshd')}Accepted publickey for deploy from ${ip} port ${1024 + r.below(60_000)} ssh2: ED25519 SHA256:${r.hex(20)}Qk7+z5pB0J2yJm0m9cV1Zz`,
  (r, ip) =>
    `${syslog(r, 'sshd')}Failed password for invalid user admin from ${ip} port ${1024 + r.below(60_000)} ssh2`,
  (r, ip) =>
    `${syslog(r, 'sshd')}Received disconnect from ${ip} port ${1024 + r.below(60_000)}:11: disconnected by user`,
  (r, ip) =>
    `2026/${two(1 + r.below(12))}/${two(1 + r.below(28))} ${clock(r)} [error] ${r.below(9999)}#${r.below(9999)}: *${r.below(999_999)} open() "/var/www/html${r.pick(PATHS)}" failed (2: No such file or directory), client: ${ip}, server: _, request: "GET ${r.pick(PATHS)} HTTP/2.0"`,
];

const PLAIN: readonly Writer[] = [
  (r) => `${syslog(r, 'systemd')}Started ${r.pick(UNITS)}.service - session ${r.below(9999)} of user deploy.`,
  (r) =>
    `${syslog(r, 'systemd')}${r.pick(UNITS)}.service: Consumed ${r.below(99)}min ${r.below(60)}.${r.digits(3)}s CPU time, ${r.below(900)}.${r.below(9)}M memory peak.`,
  (r) => `${syslog(r, 'systemd')}Starting Dispatch Password Requests to Console Directory Watch...`,
  (r) => `${syslog(r, 'systemd-logind')}New session ${r.below(99_999)} of user deploy.`,
  (r) => `${syslog(r, 'CRON')}pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)`,
  (r) =>
    `${syslog(r, 'sshd')}pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=`,
  (r) =>
    `${syslog(r, 'sudo')}  deploy : TTY=pts/${r.below(9)} ; PWD=/home/deploy ; USER=root ; COMMAND=/usr/bin/systemctl status nginx`,
  (r) =>
    `[${String(r.below(999_999)).padStart(6)}.${r.digits(6)}] EXT4-fs (sda${1 + r.below(9)}): mounted filesystem ${uuid(r)} r/w with ordered data mode. Quota mode: none.`,
  (r) =>
    `[${String(r.below(999_999)).padStart(6)}.${r.digits(6)}] sd 0:0:0:0: [sda] ${r.digits(9)} 512-byte logical blocks: (${r.below(999)} GB/${r.below(999)} GiB)`,
  (r) =>
    `[${String(r.below(999_999)).padStart(6)}.${r.digits(6)}] audit: type=1400 audit(17${r.digits(8)}.${r.digits(3)}:${r.below(9999)}): apparmor="STATUS" operation="profile_load" pid=${r.below(99_999)} comm="apparmor_parser"`,
  (r) =>
    `${isoTime(r)}.${r.digits(3)}Z INFO [main] c.e.app.Server - request ${uuid(r)} took ${r.below(9999)}ms bytes=${r.digits(8)} ts=17${r.digits(8)} seq=${r.digits(10)}`,
  (r) =>
    `{"time":"${isoTime(r)}.${r.digits(9)}Z","level":"info","msg":"done","trace_id":"${r.hex(32)}","span_id":"${r.hex(16)}","elapsed_ns":${r.digits(9)},"offset":17${r.digits(11)},"id":${r.digits(12)}}`,
  (r) =>
    `${isoTime(r)}Z stdout F level=debug commit=${r.hex(40)} image=registry.example/app@sha256:${r.hex(64)} version=${version(r)}`,
  (r) =>
    `${isoTime(r).replace('T', ' ')},${r.digits(3)} WARN pool-${r.below(9)}-thread-${r.below(99)} GC pause ${r.below(900)}.${r.digits(3)}ms heap ${r.below(9999)}M->${r.below(9999)}M(${r.below(9999)}M)`,
  (r) =>
    `Unpacking libfoo${r.below(9)}:amd64 (${version(r)}-1ubuntu${r.below(9)}) over (${version(r)}-1) ... done, ${r.digits(7)} kB`,
  (r) =>
    `tcp LISTEN 0 ${r.below(4096)} *:${r.below(65_535)} *:* users:(("nginx",pid=${r.below(99_999)},fd=${r.below(99)})) ino:${r.digits(7)} sk:${r.hex(4)}`,
  (r) =>
    `-rw-r--r-- 1 root root ${r.digits(8)} ${r.pick(MONTHS)} ${two(1 + r.below(28))} ${clock(r).slice(0, 5)} backup-2026${two(1 + r.below(12))}${two(1 + r.below(28))}${r.digits(6)}.tar.gz`,
  (r) =>
    `Mem: ${r.digits(8)} ${r.digits(7)} ${r.digits(6)} ${r.digits(4)} ${r.digits(8)} eth0 RX ${r.digits(3)} ${r.digits(3)} ${r.digits(4)}`,
  (r) =>
    `upstream_response_time=0.${r.digits(3)} request_length=${r.below(9999)} connection=${r.digits(8)} msec=17${r.digits(8)}.${r.digits(3)}`,
];

/** `count` lines; every third or so is a line with an address. */
export function* ordinaryLogs(seed: number, count: number): Generator<LogLine> {
  const r = openRandom(seed);
  for (let line = 0; line < count; line++) {
    if (r.below(3) > 0) {
      yield { text: r.pick(PLAIN)(r, ''), addresses: [] };
      continue;
    }
    const ip = address(r);
    yield { text: r.pick(WITH_ADDRESS)(r, ip), addresses: [ip] };
  }
}
