// The policy as the human sees it: whole at the first start, as changes at a review. Data only, made from
// lockkit/policy's review. Values come from files that an agent may have written: they are untrusted text.
import type { Question } from '../approval/question.js';
import type { DangerLine, Line, Screen, Section } from '../approval/screen.js';
import { argvText, untrusted } from '../approval/untrusted.js';
import type { PolicyRemark } from '../policy/check.js';
import type { Plain } from '../policy/field.js';
import type { PolicyReview, ReviewGroup, ReviewItem } from '../policy/review.js';

export interface ReviewLook {
  readonly production: boolean;
  readonly demo: boolean;
}

function plainText(value: Plain | null): string {
  if (value === null) return '(not known)';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A list's elements, one each; anything else is one. */
function elementsOf(value: Plain | null): readonly (Plain | null)[] {
  if (!Array.isArray(value)) return [value];
  return value as readonly Plain[];
}

function factsOf({ path, to }: ReviewItem): readonly { readonly label: string; readonly value: Line }[] {
  const elements = elementsOf(to);
  if (elements.length === 0) return [{ label: path, value: ['(none)'] }];
  return elements.map((element, at) => ({
    label: at === 0 ? path : '',
    value: [untrusted(plainText(element))],
  }));
}

function changeLines(item: ReviewItem): readonly Line[] {
  const isList = item.added.length > 0 || item.removed.length > 0;
  const lines: readonly Line[] = isList
    ? [
        [`${item.path}:`],
        ...item.removed.map((one): Line => ['  − ', untrusted(plainText(one))]),
        ...item.added.map((one): Line => ['  + ', untrusted(plainText(one))]),
      ]
    : [[`${item.path}: `, untrusted(plainText(item.from)), ' → ', untrusted(plainText(item.to))]];
  const witness: readonly Line[] =
    item.witness === undefined ? [] : [['newly allows, for example: ', argvText(item.witness)]];
  return [...lines, ...witness];
}

/** What waits stands out; what tightened is in force already and is shown as plain lines. */
function groupSection({ heading, items }: ReviewGroup): Section {
  const lines = items.flatMap((item): readonly (Line | DangerLine)[] =>
    item.waits
      ? changeLines(item).map((line) => ({ kind: 'danger', line }))
      : [['in force already, tightens:'], ...changeLines(item)],
  );
  return { kind: 'lines', lines: [[heading], ...lines] };
}

function policySections(review: PolicyReview): readonly Section[] {
  if (review.kind === 'change') return review.groups.map(groupSection);
  return review.groups.map(({ items }) => ({ kind: 'facts', facts: items.flatMap(factsOf) }));
}

function requestSection(requests: readonly string[]): readonly Section[] {
  if (requests.length === 0) return [];
  const lines = requests.map((request): Line => ['  ', untrusted(request)]);
  return [
    { kind: 'lines', lines: [['the agent asks for (change the file yourself if you agree):'], ...lines] },
  ];
}

function endingSection(review: PolicyReview): readonly Section[] {
  if (review.endingMasks.length === 0) return [];
  const lines = review.endingMasks.map(({ pattern }): Line => ['  ', untrusted(pattern)]);
  return [
    {
      kind: 'lines',
      lines: [['mask rules of the agent that no file holds; approving ends them:'], ...lines],
    },
  ];
}

function remarkLine({ message, subject }: PolicyRemark): Line {
  return subject === undefined ? [message] : [untrusted(subject), `: ${message}`];
}

function questionOf(profile: string, production: boolean): Question {
  if (!production) return { kind: 'yes_no', prompt: 'Approve this policy?' };
  const prompt = ['PRODUCTION: type the profile’s name to approve this policy, n to refuse'];
  return { kind: 'typed', prompt, expected: profile };
}

export function policyScreen(review: PolicyReview, { production, demo }: ReviewLook): Screen {
  const shadow: readonly Section[] = review.replacesUserProfile
    ? [
        {
          kind: 'lines',
          lines: [
            { kind: 'danger', line: ['this project’s profile replaces your profile of the same name'] },
          ],
        },
      ]
    : [];
  const ends: readonly Line[] = review.endsSession
    ? [['approving this ends the session: it changes the target']]
    : [];
  return {
    title: [
      untrusted(review.profile.toUpperCase()),
      review.kind === 'first' ? ' · policy · first start' : ' · policy · review',
    ],
    demo,
    origin: [],
    sections: [
      ...shadow,
      ...policySections(review),
      ...endingSection(review),
      ...requestSection(review.requests),
    ],
    warnings: [...review.remarks.map(remarkLine), ...ends],
    question: questionOf(review.profile, production),
  };
}

/** Nothing waits: what agents asked for alone, without a question. */
export function requestsScreen(profile: string, requests: readonly string[]): Screen {
  return {
    title: [untrusted(profile.toUpperCase()), ' · policy · review'],
    origin: [],
    sections: [{ kind: 'lines', lines: [['no policy change waits']] }, ...requestSection(requests)],
    warnings: [],
  };
}
