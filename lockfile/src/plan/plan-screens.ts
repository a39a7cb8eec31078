// The screens of a plan: what the human reads before a file is touched, types a value, or sees a result. Data only;
// the console adds who asks and the question. How lockfile works, "The approval screen": no size, type, hash or path.
import { untrusted, type Line, type Screen, type Section } from 'lockkit/approval';
import type { InstalledPlugin } from '../plugin/installed-plugins.js';
import type { Plan } from './check-plan.js';
import { pluginLabel, type Binding, type Question } from './question.js';

type Lines = Extract<Section, { kind: 'lines' }>['lines'];

export interface ScreenPlace {
  readonly profile: string;
  readonly production: boolean;
  /** Sentences about this machine that stand on every screen. */
  readonly warnings: readonly Line[];
}

const title = ({ profile, production }: ScreenPlace, rest: string): Line => [
  untrusted(profile.toUpperCase()),
  ` · ${rest}${production ? ' · PRODUCTION' : ''}`,
];

export function planScreen(plan: Plan, place: ScreenPlace): Screen {
  const { target, questions, answersRevealed } = plan;
  const about = target.kind === 'key' ? 'file plan' : `follow-up on ${target.handle.id}`;
  const fact =
    target.kind === 'key'
      ? { label: 'key', value: [untrusted(target.key)] }
      : { label: 'handle', value: [`${target.handle.id} (no new fetch)`] };
  return {
    title: title(place, `${about} · ${answersRevealed} answers`),
    origin: [],
    sections: [
      { kind: 'facts', facts: [fact] },
      { kind: 'lines', lines: questions.flatMap(questionLines) },
      { kind: 'lines', lines: [[`this plan reveals at most ${answersRevealed} answers about the file`]] },
    ],
    warnings: place.warnings,
  };
}

function questionLines({ plugin, bindings }: Question): Lines {
  const { question, one, zero } = plugin.manifest;
  const asked: Line = ['  ? ', untrusted(question), '   1 = ', untrusted(one), '   0 = ', untrusted(zero)];
  const unofficial: Lines = plugin.official ? [] : [{ kind: 'danger', line: ['UNOFFICIAL MARKETPLACE'] }];
  return [
    [`${pluginLabel(plugin)}  (${originOf(plugin)})`],
    ...unofficial,
    asked,
    ...bindings.map(bindingLine),
  ];
}

function originOf({ marketplace, signed }: InstalledPlugin): string {
  return signed ? marketplace : `${marketplace}, unsigned`;
}

function bindingLine({ input, placeholder }: Binding): Line {
  return [`  ${input.name} = \${${placeholder}}: ${describeInput(input)}, typed by you`];
}

function describeInput({ kind, maxBytes }: Binding['input']): string {
  const name = { text: 'a line of text', email: 'an e-mail address', digits: 'digits' }[kind];
  return `${name}, at most ${maxBytes} bytes`;
}

const MAX_TYPED_BYTES = 1024;

/** Asks for one value; `level` below 3 is said before anything is typed. */
export function valueScreen(
  placeholder: string,
  bindings: readonly Binding[],
  place: ScreenPlace,
  level: 1 | 2 | 3,
): Screen {
  const exposed: Line = [`at desktop level ${level} the agent’s account may read what is typed here`];
  return {
    title: title(place, `a value for \${${placeholder}}`),
    origin: [],
    sections: [
      {
        kind: 'lines',
        lines: bindings.map(({ input }) => [`${input.name}: ${describeInput(input)}`]),
      },
      { kind: 'lines', lines: [['kept in memory until this console ends; never shown, logged or sent']] },
    ],
    warnings: level === 3 ? [] : [exposed],
    question: { kind: 'secret', prompt: [`value of \${${placeholder}}: `], maxBytes: MAX_TYPED_BYTES },
  };
}

export interface ShownAnswer {
  readonly question: Question;
  readonly result: 1 | 0 | null;
  readonly detail?: Uint8Array;
}

/** What the agent got, and the details it did not get: for a console with clear results on. */
export function resultScreen(target: string, answers: readonly ShownAnswer[], place: ScreenPlace): Screen {
  return {
    title: title(place, 'result, shown here only'),
    origin: [],
    sections: [
      { kind: 'facts', facts: [{ label: 'file', value: [untrusted(target)] }] },
      ...answers.flatMap(shownAnswer),
    ],
    warnings: [],
  };
}

function shownAnswer({ question, result, detail }: ShownAnswer): readonly Section[] {
  const got = result === null ? 'plugin_error' : String(result);
  const line: Section = { kind: 'lines', lines: [[`${pluginLabel(question.plugin)}: the agent got ${got}`]] };
  if (detail === undefined || detail.byteLength === 0) return [line];
  return [
    line,
    { kind: 'lines', lines: [[`shown here only; the agent got ${got}`]] },
    { kind: 'text', text: untrusted(Buffer.from(detail).toString('utf8')) },
  ];
}
