// The real hub for this package's tests; it lives in the conformance suite, which has the other real parts too.
export { openTestHub, type TestHub } from '@lockkit/conformance/real-hub';
