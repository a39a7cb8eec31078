// The plan of `init`: for one agent, every file of the project that changes and its whole new text.
// Pure: it is given what the files hold. Called by run-wiring, and by doctor to see whether a project is wired.
import type { AgentName } from './agent-name.js';
import type { Change, Edit, FileState, Purpose } from './change.js';
import { renderInstructions } from './instructions.js';
import { type Addition, type JsonValue, editJson } from './json-edit.js';
import { addMarkdownSection, ownFile } from './markdown-edit.js';
import { addTomlTable } from './toml-edit.js';
import { STARTUP_TIMEOUT_S, TOOL_TIMEOUT_MS, type WiredLock } from './wired-lock.js';

interface Step {
  readonly path: string;
  readonly purpose: Purpose;
  readonly edit: (file: FileState) => Edit;
}

export interface WiringRequest {
  readonly agent: AgentName;
  readonly lock: WiredLock;
  /** What every path of `wiringPaths` holds now; a path that is not there counts as missing. */
  readonly files: ReadonlyMap<string, FileState>;
}

/** The files that wiring an agent reads, and may write. */
export function wiringPaths(agent: AgentName, lock: WiredLock): readonly string[] {
  return STEPS[agent](lock).map(({ path }) => path);
}

export function planWiring({ agent, lock, files }: WiringRequest): readonly Change[] {
  return STEPS[agent](lock).map(({ path, purpose, edit }) => ({
    agent,
    path,
    purpose,
    ...edit(files.get(path) ?? { kind: 'missing' }),
  }));
}

const STEPS: Readonly<Record<AgentName, (lock: WiredLock) => readonly Step[]>> = {
  claude: (lock) => [
    mcpJson('.mcp.json', lock, { type: 'stdio', ...stdioServer(lock), timeout: TOOL_TIMEOUT_MS }),
    {
      path: `.claude/skills/${lock.name}/SKILL.md`,
      purpose: 'instructions',
      edit: (file) => ownFile(file, renderSkill(lock)),
    },
    {
      path: '.claude/settings.json',
      purpose: 'permissions',
      edit: (file) => editJson(file, claudePermissions(lock)),
    },
  ],
  codex: (lock) => [
    {
      path: '.codex/config.toml',
      purpose: 'mcp',
      edit: (file) => addTomlTable(file, 'mcp_servers', lock.name, codexServer(lock)),
    },
    section('AGENTS.md', lock),
  ],
  cursor: (lock) => [
    mcpJson('.cursor/mcp.json', lock, { type: 'stdio', ...stdioServer(lock) }),
    {
      path: `.cursor/rules/${lock.name}.mdc`,
      purpose: 'instructions',
      edit: (file) => ownFile(file, renderCursorRule(lock)),
    },
  ],
  gemini: (lock) => [
    mcpJson('.gemini/settings.json', lock, { ...stdioServer(lock), timeout: TOOL_TIMEOUT_MS, trust: false }),
    section('GEMINI.md', lock),
  ],
};

function stdioServer({ command: [program, ...args] }: WiredLock): {
  readonly command: string;
  readonly args: string[];
} {
  return { command: program, args };
}

function codexServer(lock: WiredLock) {
  return {
    ...stdioServer(lock),
    startup_timeout_sec: STARTUP_TIMEOUT_S,
    tool_timeout_sec: TOOL_TIMEOUT_MS / 1000,
  };
}

function mcpJson(path: string, lock: WiredLock, server: JsonValue): Step {
  const addition: Addition = { kind: 'member', path: ['mcpServers', lock.name], value: server };
  return { path, purpose: 'mcp', edit: (file) => editJson(file, [addition]) };
}

function section(path: string, lock: WiredLock): Step {
  return {
    path,
    purpose: 'instructions',
    edit: (file) => addMarkdownSection(file, lock.name, renderInstructions(lock)),
  };
}

/** Reading what is known needs no question; editing the lock's own files always asks. */
function claudePermissions(lock: WiredLock): readonly Addition[] {
  const tools = lock.readOnlyTools.map((tool) => `mcp__${lock.name}__${tool}`);
  return [
    { kind: 'items', path: ['permissions', 'allow'], items: tools },
    { kind: 'items', path: ['permissions', 'ask'], items: [`Edit(.${lock.name}/**)`] },
  ];
}

function renderSkill(lock: WiredLock): string {
  return `---\nname: ${lock.name}\ndescription: ${yamlText(lock.summary)}\n---\n\n${renderInstructions(lock)}`;
}

function renderCursorRule(lock: WiredLock): string {
  return `---\ndescription: ${yamlText(lock.summary)}\nglobs:\nalwaysApply: false\n---\n\n${renderInstructions(lock)}`;
}

/** A YAML double-quoted text; JSON's form is one. */
function yamlText(text: string): string {
  return JSON.stringify(text);
}
