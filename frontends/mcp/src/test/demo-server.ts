// The process of the tests: the MCP server of the tests' lock, as a product's main.ts would start it.
import { runMcpServer } from '../run-mcp-server.js';
import { demoContract } from './demo-contract.js';

await runMcpServer(demoContract);
process.exit(0);
