import * as fc from 'fast-check';
import { parse, parseTree, type ParseError } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { editJson } from './json-edit.js';

const OURS = { command: 'x' };

function withServer(text: string): string {
  const edit = editJson({ kind: 'text', text }, [{ kind: 'member', path: ['servers', 'ours'], value: OURS }]);
  return edit.status === 'update' ? edit.text : edit.status;
}

test.each([
  [
    'a comment behind the last entry',
    '{\n  "servers": {\n    "a": { "b": [1] } // theirs\n  } // all\n}\n',
    '{\n  "servers": {\n    "a": { "b": [1] }, // theirs\n    "ours": {\n      "command": "x"\n    }\n  } // all\n}\n',
  ],
  [
    'a trailing comma, CRLF and tabs',
    '{\r\n\t"servers": {\r\n\t\t"a": 1, // theirs\r\n\t\t// "b": 2\r\n\t},\r\n}\r\n',
    '{\r\n\t"servers": {\r\n\t\t"a": 1, // theirs\r\n\t\t// "b": 2\r\n\t\t"ours": {\r\n\t\t\t"command": "x"\r\n\t\t},\r\n\t},\r\n}\r\n',
  ],
  [
    'a comment in an empty object',
    '{\n    "servers": {\n        // none yet\n    }\n}',
    '{\n    "servers": {\n        // none yet\n        "ours": {\n            "command": "x"\n        }\n    }\n}',
  ],
  [
    'no object of this name',
    '{\n  "a": [1, 2]\n  /* end */\n}\n',
    '{\n  "a": [1, 2],\n  /* end */\n  "servers": {\n    "ours": {\n      "command": "x"\n    }\n  }\n}\n',
  ],
  [
    'an empty object on its line',
    '{\n  "servers": {},\n  "a": 1\n}\n',
    '{\n  "servers": {\n    "ours": {\n      "command": "x"\n    }\n  },\n  "a": 1\n}\n',
  ],
  [
    'everything on one line',
    '{"servers":{"a":1},"b":2}',
    '{"servers":{"a":1, "ours": {"command": "x"}},"b":2}',
  ],
  [
    'line ends that are CR alone',
    '{\r  "servers": {\r    "a": 1 // theirs\r  }\r}',
    '{\r  "servers": {\r    "a": 1, // theirs\r    "ours": {\r      "command": "x"\r    }\r  }\r}',
  ],
])('insertEntries: %s', (_name, before, after) => {
  expect(withServer(before)).toBe(after);
});

test('insertEntries: a list grows at its end, in the form that it has', () => {
  const items = ['b', 'c'];
  const grown = (text: string) => {
    const edit = editJson({ kind: 'text', text }, [{ kind: 'items', path: ['l'], items }]);
    return edit.status === 'update' ? edit.text : edit.status;
  };
  expect(grown('{"l": ["a"] /* why */}')).toBe('{"l": ["a", "b", "c"] /* why */}');
  expect(grown('{\n  "l": [\n    "a" // why\n  ]\n}')).toBe(
    '{\n  "l": [\n    "a", // why\n    "b",\n    "c"\n  ]\n}',
  );
  expect(grown('{"l": ["c", "b"]}')).toBe('unchanged');
});

/** A JSONC object as people lay them out: a member or a comment a line. */
const layout = fc
  .record({
    eol: fc.constantFrom('\n', '\r\n'),
    unit: fc.constantFrom('  ', '\t', '    '),
    trailing: fc.boolean(),
    members: fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 })), {
      selector: ([key]) => key,
      maxLength: 4,
    }),
    beside: fc.array(fc.constantFrom('', ' // c, "x": {', ' /* } , */', ' /**/ // y'), {
      minLength: 4,
      maxLength: 4,
    }),
    alone: fc.array(fc.constantFrom('', '// "old": 1,', '/* two { */', '/* a'), {
      minLength: 5,
      maxLength: 5,
    }),
  })
  .map(({ eol, unit, trailing, members, beside, alone }) => {
    const comment = (at: number): string[] => {
      const text = alone[at] ?? '';
      return text === '/* a' ? [`${unit}${unit}/* a`, `   } b */`] : text === '' ? [] : [unit + unit + text];
    };
    const inner = members.flatMap(([key, value], at) => {
      const comma = at < members.length - 1 || trailing ? ',' : '';
      return [
        ...comment(at),
        `${unit}${unit}${JSON.stringify(key)}: ${JSON.stringify(value)}${comma}${beside[at] ?? ''}`,
      ];
    });
    return ['{', `${unit}"servers": {`, ...inner, ...comment(4), `${unit}} // end`, '}', ''].join(eol);
  });

test('insertEntries: every line stays as it is and where it is, a comma behind the last entry aside', () => {
  fc.assert(
    fc.property(layout, (before) => {
      fc.pre(parse(before).servers.ours === undefined);
      const after = withServer(before);
      const errors: ParseError[] = [];
      parseTree(after, errors, { allowTrailingComma: true });
      expect(errors).toEqual([]);
      const { ours, ...others } = parse(after).servers as Record<string, unknown>;
      expect(ours).toEqual(OURS);
      expect(others).toEqual(parse(before).servers);
      const eol = before.includes('\r\n') ? '\r\n' : '\n';
      expect(after.split(eol).some((line) => /[\r\n]/.test(line))).toBe(false);
      const lines = after.split(eol);
      const changed = before.split(eol).filter((line) => {
        const at = lines.findIndex(
          (now) => now === line || now.replaceAll(',', '') === line.replaceAll(',', ''),
        );
        const isSame = lines[at] === line;
        lines.splice(0, at < 0 ? lines.length : at + 1);
        return !isSame;
      });
      expect(changed.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

test('insertEntries: a minified file of 900 KB is looked at once', () => {
  const text = `{"a":[${'"xxxxxxx",'.repeat(90_000)}1],"servers":{"a":1}}`;
  expect(withServer(text)).toBe(text.replace('{"a":1}', '{"a":1, "ours": {"command": "x"}}'));
});
