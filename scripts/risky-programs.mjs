// Writes lockssh/src/rules/risky-programs.ts and the list in docs/allow-rules.md from conformance/cases/programs.json.
// Run by hand when that file or the additions below change: `node scripts/risky-programs.mjs`; with `--check` it
// writes nothing and exits 1 when a file is out of date. What it writes is reviewed like code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const CASES = at('conformance/cases/programs.json');
const TABLE = at('lockssh/src/rules/risky-programs.ts');
const DOCS = at('docs/allow-rules.md');
const KINDS = ['exec', 'write', 'read', 'network', 'disguise'];

// Other names of programs in the cases: the review knows a program by its name alone.
const SAME_AS = {
  awk: ['original-awk', 'goawk'],
  emacs: ['emacsclient'],
  ksh: ['pdksh', 'oksh', 'loksh', 'rksh', 'ksh93'],
  mysql: ['mariadb'],
  mysqldump: ['mariadb-dump'],
  node: ['nodejs'],
  python: ['pypy', 'ipython', 'micropython'],
  sqlite3: ['sqlite'],
  sudo: ['sudo-rs'],
  vim: ['gvim', 'gview', 'evim', 'rgvim'],
};

// Output that the detectors no longer recognise: sliced, reversed, wrapped or encoded.
const DISGUISES =
  `ascii-xfr ascii85 base32 base58 base64 basenc basez column cut fmt fold hd hexdump jq nl od paste pr rev tac tr
  uuencode xxd`.split(/\s+/);

/** name → {kinds, withoutDash}, names in lower case as the review compares them. */
function readTable() {
  const { programs } = JSON.parse(readFileSync(CASES, 'utf8'));
  const table = new Map();
  const add = (name, kinds, withoutDash) => {
    const known = table.get(name.toLowerCase()) ?? { kinds: new Set(), withoutDash: new Set() };
    for (const kind of kinds) known.kinds.add(kind);
    for (const kind of withoutDash) known.withoutDash.add(kind);
    table.set(name.toLowerCase(), known);
  };
  for (const [name, { kinds, without_dash }] of Object.entries(programs)) add(name, kinds, without_dash);
  for (const [name, others] of Object.entries(SAME_AS)) {
    const { kinds, withoutDash } = table.get(name);
    for (const other of others) add(other, kinds, withoutDash);
  }
  for (const name of DISGUISES) add(name, ['disguise'], []);
  return table;
}

/** Programs that share kinds, in a fixed order: [kinds, withoutDash, names]. */
function groupsOf(table) {
  const groups = new Map();
  const inOrder = (set) => KINDS.filter((kind) => set.has(kind)).join(' ');
  for (const [name, { kinds, withoutDash }] of table) {
    const key = `${inOrder(kinds)}|${inOrder(withoutDash)}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups].toSorted().map(([key, names]) => [...key.split('|'), names.toSorted()]);
}

function wrap(words, width, indent) {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > width - indent.length) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join('\n');
}

function tableSource(groups) {
  const rows = groups.map(([kinds, withoutDash, names]) => {
    const text = `\`\n${wrap(names, 108, '    ')}\``;
    return `  {\n    kinds: '${kinds}',\n    withoutDash: '${withoutDash}',\n    names: ${text},\n  },`;
  });
  return `// Programs that run others, write, read, reach the network or disguise text by their arguments. Read by the review.
// Written by scripts/risky-programs.mjs from conformance/cases/programs.json; a safety net, not a complete list: a
// program that is missing here is not safe for that.

/** \`withoutDash\`: the kinds among exec and write that need no argument starting with - or +. Names: lower case. */
export const RISKY_PROGRAM_GROUPS = [
${rows.join('\n')}
] as const;
`;
}

const BEGIN = '<!-- risky programs: begin (written by scripts/risky-programs.mjs) -->';
const END = '<!-- risky programs: end -->';

function docsSource(groups, text) {
  const [before, tail] = text.split(BEGIN);
  const after = tail.split(END)[1];
  const rows = groups.map(([kinds, withoutDash, names]) => {
    const cell = names.map((name) => `\`${name}\``).join(' ');
    return `| ${kinds} | ${withoutDash === '' ? '–' : withoutDash} | ${cell} |`;
  });
  const table = ['| Kinds | Without a dash | Programs |', '| --- | --- | --- |', ...rows].join('\n');
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

const groups = groupsOf(readTable());
let stale = false;
for (const [path, wanted] of [
  [TABLE, () => tableSource(groups)],
  [DOCS, (text) => docsSource(groups, text)],
]) {
  const text = read(path);
  const next = wanted(text);
  if (next === text) continue;
  stale = true;
  if (!process.argv.includes('--check')) writeFileSync(path, next);
}
if (stale && process.argv.includes('--check')) {
  process.stderr.write('the table of risky programs is out of date: run node scripts/risky-programs.mjs\n');
  process.exitCode = 1;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
