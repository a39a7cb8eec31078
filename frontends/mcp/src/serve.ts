// The MCP server of one lock on one pair of streams. Called by run-mcp-server.ts (the process) and by tests.
// It is made from the contract alone, holds no secret, and starts without a console: clients mark a server that does
// not start as failed for the whole session.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { LockContract } from 'lockkit/contract';
import { instructionLines } from 'lockkit/instructions';
import type { Readable, Writable } from 'node:stream';
import { type CallConsole, callTool, refusal } from './call-tool.js';
import { withProgress } from './progress.js';
import { StdioTransport } from './stdio-transport.js';
import { listTools } from './tool-list.js';

/** Clients give up after 30 s at the earliest. */
const PROGRESS_INTERVAL_MS = 10_000;
/** Calls at once; a console takes 32 connections of an account. */
const MAX_CALLS = 16;

export interface ServeSetting {
  readonly contract: LockContract;
  readonly callConsole: CallConsole;
  readonly input: Readable;
  readonly output: Writable;
  readonly progressIntervalMs?: number;
}

/** Serves until the client is gone; running calls are aborted then. */
export async function serveMcp(setting: ServeSetting): Promise<void> {
  const { contract } = setting;
  const tools = listTools(contract, await contract.loadShapes());
  const server = makeServer(contract);
  let running = 0;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ tool }) => tool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    const offered = tools.get(params.name);
    if (offered === undefined) throw new McpError(ErrorCode.InvalidParams, 'no such tool');
    if (running >= MAX_CALLS) return refusal(contract, 'E_BUSY');
    running += 1;
    const token = offered.action.waits ? _meta?.progressToken : undefined;
    const call = () => callTool(contract, offered, setting.callConsole, params.arguments, signal);
    const interval = setting.progressIntervalMs ?? PROGRESS_INTERVAL_MS;
    return withProgress({ token, send: sendNotification }, interval, call).finally(() => (running -= 1));
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(new StdioTransport(setting.input, setting.output));
  await closed;
}

function makeServer({ name, version, summary, instructions }: LockContract): Server {
  const text = [`${name}: ${summary}`, ...instructionLines(instructions)].join('\n');
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions: text });
  // Its texts may hold parts of a message.
  server.onerror = () => undefined;
  return server;
}
