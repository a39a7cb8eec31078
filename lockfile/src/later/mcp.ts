// `lockfile mcp`: the contract served on standard input and output. The agent's side; it holds nothing.
import { runMcpServer } from '@lockkit/mcp';
import { lockfileContract } from '../contract/lockfile-contract.js';

export async function runMcp(): Promise<number> {
  await runMcpServer(lockfileContract);
  return 0;
}
