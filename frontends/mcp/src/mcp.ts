// @lockkit/mcp: any lock contract as an MCP server.
export { runMcpServer } from './run-mcp-server.js';
