// The composition root: the contract, the commands, the process. What a command does not need, it does not load.
import { listFlag, lockCommands, openProcessIo, runProgram, switchFlag, textFlag } from '@lockkit/cli';
import { contract } from './contract.js';

const commands = lockCommands({
  contract,
  console: {
    summary: 'hold the token and decide: the human’s side, in its own account',
    description: 'Shows the policy, asks for the token, then serves the agent’s socket until :quit.',
  },
  profileAdd: {
    flags: [
      textFlag('url', 'URL', 'the address of the service'),
      switchFlag('production', 'production data: stricter everywhere'),
      listFlag('path', 'PATH', 'a path that may be read (repeat)', 'paths'),
    ],
    examples: ['lockhttp profile add --profile api --url https://api.example.com --path /v1/health'],
  },
  load: {
    setup: async () => (await import('./later/setup.js')).setup,
    console: async () => (await import('./later/console.js')).runConsole,
    mcp: async () => (await import('./later/mcp.js')).runMcp,
  },
});

const io = openProcessIo();
void runProgram({ contract, commands }, process.argv.slice(2), io).then((exit) => {
  process.exitCode = exit;
  io.close();
});
