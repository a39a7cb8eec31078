// Area A5: what a human sees of hostile text, and what counts as an answer. Called by the runner.
// `render` gives {text: the whole screen, columns}; `render_argv` gives {text: the argv, screen, columns}; `answer`
// gives {approved}. The judges know nothing of our escapes: any visible sign will do.
import {
  argvText,
  renderArgv,
  renderScreen,
  untrusted,
  type Line,
  type Screen,
  type Section,
} from 'lockkit/approval';
import type { Json, JsonObject, Kind, Kinds } from '../kind.js';
import { isApproved } from './a5-questions.js';
import { judgeScreen, type Check } from './a5-screen-checks.js';

const COLUMNS = 80;

const render: Kind = {
  run: (input) => {
    const screen = screenWith(String(input['field']), String(input['value']));
    return { text: renderScreen(screen, { columns: COLUMNS, colour: false }), columns: COLUMNS };
  },
  judge: (input, expected, got) => {
    const { text, columns } = got as { text: string; columns: number };
    return judgeScreen({ values: [String(input['value'])], text, screen: text, columns }, checksOf(expected));
  },
};

const renderArguments: Kind = {
  run: (input) => {
    const argv = strings(input['argv']);
    const screen = renderScreen(emptyScreen([facts('argv', [argvText(argv)])]), {
      columns: COLUMNS,
      colour: false,
    });
    return { text: renderArgv(argv), screen, columns: COLUMNS };
  },
  judge: (input, expected, got) => {
    const { text, screen, columns } = got as { text: string; screen: string; columns: number };
    return judgeScreen({ values: strings(input['argv']), text, screen, columns }, checksOf(expected));
  },
};

const answer: Kind = {
  run: async (input) => ({ approved: await isApproved({ afterPrompt: String(input['keys']) }) }),
  judge: (_input, expected, got) =>
    (got as JsonObject)['approved'] === expected['approved'] ? null : `approved: ${JSON.stringify(got)}`,
};

export const kinds: Kinds = { render, render_argv: renderArguments, answer };

/** Every field of a screen in the place where a lock shows it. */
function screenWith(field: string, value: string): Screen {
  if (field === 'argv') return emptyScreen([facts('argv', [argvText(['run', value])])]);
  if (field === 'results_clear') return emptyScreen([{ kind: 'text', text: untrusted(value) }]);
  if (field !== 'intent') return emptyScreen([facts(field.slice(0, 64), [untrusted(value)])]);
  return { ...emptyScreen([]), origin: [['agent: ', untrusted(value)]] };
}

function emptyScreen(sections: readonly Section[]): Screen {
  return { title: ['web', ' · run'], origin: [], sections, warnings: [], question: { kind: 'yes_no' } };
}

function facts(label: string, value: Line): Section {
  return { kind: 'facts', facts: [{ label, value }] };
}

function checksOf(expected: JsonObject): readonly Check[] {
  return Object.entries(expected);
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
