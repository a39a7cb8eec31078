// The policy as the human sees it: whole at the first start, as changes at a review. Data only.
// Values come from files that an agent may have written: they are untrusted text, whatever the field.
import { argvText, untrusted } from '../approval/untrusted.js';
import type { DangerLine, Line, Screen, Section } from '../approval/screen.js';
import type { Question } from '../approval/question.js';
import type { PolicyChange } from '../policy/compare.js';
import type { PolicyRemark } from '../policy/check.js';
import type { Plain } from '../policy/field.js';
import { valueAt, type PolicyValues, type ProfileDefinition } from '../policy/profile.js';

/** One value as text: lists element by element, an absent one said so. */
function valueLines(value: Plain | null): readonly Line[] {
  if (value === null) return [['(not known)']];
  if (!Array.isArray(value)) return [[untrusted(plainText(value))]];
  if (value.length === 0) return [['(none)']];
  return value.map((one: Plain) => [untrusted(plainText(one))]);
}

function plainText(value: Plain): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fieldFacts(
  name: string,
  value: Plain | null,
): readonly { readonly label: string; readonly value: Line }[] {
  return valueLines(value).map((line, index) => ({ label: index === 0 ? name : '', value: line }));
}

function policySections<P>(definition: ProfileDefinition<P>, policy: P): readonly Section[] {
  const headings = [...new Set(definition.entries.map(({ field }) => field.heading))];
  return headings.flatMap((heading) => {
    const facts = definition.entries
      .filter(({ field }) => field.heading === heading)
      .flatMap(({ name, path, field }) =>
        fieldFacts(name, field.show(valueAt(policy as PolicyValues, path))),
      );
    return facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }];
  });
}

export function approveQuestion(profile: string, production: boolean): Question {
  if (!production) return { kind: 'yes_no', prompt: 'Approve this policy?' };
  return {
    kind: 'typed',
    prompt: ['PRODUCTION: type the profile’s name to approve this policy'],
    expected: profile,
  };
}

function remarkLines(remarks: readonly PolicyRemark[]): readonly Line[] {
  return remarks.map(({ key, message }) => [untrusted(key), `: ${message}`]);
}

export interface ReviewParts {
  readonly profile: string;
  readonly production: boolean;
  readonly demo: boolean;
  readonly remarks: readonly PolicyRemark[];
  /** What agents asked for, in their words, oldest first. */
  readonly wishes: readonly string[];
}

/** Everything the policy says, at the first start. */
export function firstPolicyScreen<P>(
  definition: ProfileDefinition<P>,
  policy: P,
  replaced: readonly PolicyChange[],
  parts: ReviewParts,
): Screen {
  const shadow: readonly Section[] =
    replaced.length === 0
      ? []
      : [{ kind: 'lines', lines: [['replaces your profile:'], ...replaced.flatMap(changeLines)] }];
  return {
    title: [untrusted(parts.profile.toUpperCase()), ' · policy · first start'],
    demo: parts.demo,
    origin: [],
    sections: [...policySections(definition, policy), ...shadow],
    warnings: remarkLines(parts.remarks),
    question: approveQuestion(parts.profile, parts.production),
  };
}

function sideBySide({ path, from, to }: PolicyChange): readonly Line[] {
  const before = valueLines(from);
  const after = valueLines(to);
  if (before.length === 1 && after.length === 1)
    return [[`${path}: `, ...(before[0] as Line), ' → ', ...(after[0] as Line)]];
  const texts = (lines: readonly Line[]): Set<string> => new Set(lines.map((line) => JSON.stringify(line)));
  const [old, fresh] = [texts(before), texts(after)];
  const gone = before
    .filter((line) => !fresh.has(JSON.stringify(line)))
    .map((line): Line => ['  − ', ...line]);
  const added = after.filter((line) => !old.has(JSON.stringify(line))).map((line): Line => ['  + ', ...line]);
  return [[`${path}:`], ...gone, ...added];
}

/** A loosening stands out and carries its witness; a tightening is already in force. */
function changeLines(change: PolicyChange): readonly (Line | DangerLine)[] {
  const lines = sideBySide(change);
  if (change.direction === 'tightens') return lines;
  const witness: readonly Line[] =
    change.witness === undefined ? [] : [['newly allows, for example: ', argvText(change.witness)]];
  return [...lines, ...witness].map((line) => ({ kind: 'danger', line }));
}

/** What waits, what is in force already, and what agents asked for. */
export function reviewScreen(
  changes: readonly PolicyChange[],
  endsSession: boolean,
  replacesUserProfile: boolean,
  parts: ReviewParts,
): Screen {
  const loosens = changes.filter(({ direction }) => direction === 'loosens');
  const tightens = changes.filter(({ direction }) => direction === 'tightens');
  const sections: Section[] = [
    {
      kind: 'lines',
      lines: [
        [replacesUserProfile ? 'replaces your profile, and loosens:' : 'loosens, waits for you:'],
        ...loosens.flatMap(changeLines),
      ],
    },
  ];
  if (tightens.length > 0)
    sections.push({
      kind: 'lines',
      lines: [['tightens, in force already:'], ...tightens.flatMap(changeLines)],
    });
  if (parts.wishes.length > 0) sections.push(wishSection(parts.wishes));
  return {
    title: [untrusted(parts.profile.toUpperCase()), ' · policy · review'],
    demo: parts.demo,
    origin: [],
    sections,
    warnings: [
      ...remarkLines(parts.remarks),
      ...(endsSession ? [['approving this ends the session: it changes the target']] : []),
    ],
    question: approveQuestion(parts.profile, parts.production),
  };
}

function wishSection(wishes: readonly string[]): Section {
  return {
    kind: 'lines',
    lines: [
      ['the agent asks for (change the file yourself if you agree):'],
      ...wishes.map((wish): Line => ['  ', untrusted(wish)]),
    ],
  };
}

/** Nothing waits: the agents' wishes alone, without a question. */
export function wishesScreen(profile: string, wishes: readonly string[]): Screen {
  const nothing: Section = { kind: 'lines', lines: [['no policy change waits']] };
  return {
    title: [untrusted(profile.toUpperCase()), ' · policy · review'],
    origin: [],
    sections: wishes.length === 0 ? [nothing] : [nothing, wishSection(wishes)],
    warnings: [],
  };
}
