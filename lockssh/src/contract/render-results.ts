// lockssh's results as text for a person. What came from the server is escaped as on a screen, line by line;
// JSON carries it whole. Called by the command line only.
import { terminalText, visibleText } from 'lockkit/visible-text';
import type { RenderedResult } from 'lockkit/contract';

interface RunResult {
  readonly status: string;
  readonly [key: string]: unknown;
}

function howItEnded(result: RunResult): string {
  if (result['timed_out'] === true) return 'timed out';
  if (typeof result['signal'] === 'string') return `ended by signal ${visibleText(result['signal'])}`;
  return `exit status ${String(result['exit_status'])}`;
}

function renderDone(result: RunResult): RenderedResult {
  const masked = Object.entries(result['masked'] as Record<string, number>)
    .map(([kind, count]) => `${count} ${visibleText(kind)}`)
    .join(', ');
  const cut = (['stdout', 'stderr'] as const)
    .filter((stream) => result[`${stream}_truncated`] === true)
    .join(' and ');
  const notes = [
    howItEnded(result),
    result['ended'] === 'unknown' ? 'the remote process may still run' : '',
    masked === '' ? '' : `masked: ${masked}`,
    cut === '' ? '' : `${cut} cut`,
  ].filter((note) => note !== '');
  const errors = terminalText(String(result['stderr']));
  const gap = errors === '' || errors.endsWith('\n') ? '' : '\n';
  return { out: terminalText(String(result['stdout'])), err: `${errors}${gap}[${notes.join(' · ')}]\n` };
}

export function renderRun(value: unknown): RenderedResult {
  const result = value as RunResult;
  if (result.status === 'done') return renderDone(result);
  if (result.status === 'pending')
    return {
      out: '',
      err: `pending: ticket ${visibleText(String(result['ticket']))}\n${visibleText(String(result['hint']))}\n`,
    };
  const why = result['rule'] ?? result['code'];
  return {
    out: `${result.status.replace('_', ' ')}${why === undefined ? '' : ` (${visibleText(String(why))})`}\n`,
  };
}

function statusLines(profile: Record<string, unknown>): string {
  const name = visibleText(String(profile['profile']));
  if (profile['console'] !== 'running') return `${name}: no console\n`;
  const allow = (profile['allow'] as readonly unknown[] | undefined) ?? [];
  const facts = [
    `account ${visibleText(String(profile['account'] ?? '?'))}`,
    profile['production'] === true ? 'PRODUCTION' : '',
    `exec ${profile['exec'] === true ? 'on (asks)' : 'off'}`,
    `policy ${visibleText(String(profile['policy']))}`,
    `session ends in ${String(profile['session_ends_in_s'])} s`,
  ].filter((fact) => fact !== '');
  const rules = allow.map((rule) => `  allow  ${visibleText(String(rule))}\n`).join('');
  return `${name}: console running · ${facts.join(' · ')}\n${rules}`;
}

export function renderStatus(value: unknown): RenderedResult {
  const { profiles } = value as { readonly profiles: readonly Record<string, unknown>[] };
  if (profiles.length === 0)
    return { out: '', err: 'no profile is configured here: `lockssh profile add --help`\n' };
  return { out: profiles.map(statusLines).join('') };
}

export function renderPiiList(value: unknown): RenderedResult {
  const { mask, allow } = value as {
    readonly mask: readonly { readonly pattern: string; readonly from: string }[];
    readonly allow: readonly { readonly kind: string; readonly value: string }[];
  };
  const rules = [
    ...mask.map(
      ({ pattern, from }) =>
        `mask   ${visibleText(pattern)}${from === 'agent' ? '  (added by the agent)' : ''}\n`,
    ),
    ...allow.map(({ kind, value: kept }) => `allow  ${visibleText(kind)} ${visibleText(kept)}\n`),
  ];
  return { out: rules.length === 0 ? 'no rules of the project’s own\n' : rules.join('') };
}
