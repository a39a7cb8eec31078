import { runMcpServer } from '@lockkit/mcp';
import { contract } from '../contract.js';

export const runMcp = (): Promise<number> => runMcpServer(contract).then(() => 0);
