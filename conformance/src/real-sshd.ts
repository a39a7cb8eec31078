// The real OpenSSH server for tests and for the areas that need login shells. Never loaded by a lock.
export { findProgram, requireReal, type RealPart } from './real-sshd/real-parts.js';
export {
  LOGIN_SHELLS,
  shellPath,
  type AccountWish,
  type LoginShell,
  type TestAccount,
} from './real-sshd/test-accounts.js';
export { openTestServer, type TestServer, type TestServerWishes } from './real-sshd/test-server.js';
