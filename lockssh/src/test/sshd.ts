// The real OpenSSH server for this package's tests; it lives in the conformance suite, which needs it too.
export {
  LOGIN_SHELLS,
  openTestServer,
  shellPath,
  type AccountWish,
  type LoginShell,
  type TestAccount,
  type TestServer,
  type TestServerWishes,
} from '@lockkit/conformance/real-sshd';
