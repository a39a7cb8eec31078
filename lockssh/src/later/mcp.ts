// `lockssh mcp`: the contract served on standard input and output. The agent's side; it holds nothing.
import { runMcpServer } from '@lockkit/mcp';
import { locksshContract } from '../contract/lockssh-contract.js';

export async function runMcp(): Promise<number> {
  await runMcpServer(locksshContract);
  return 0;
}
