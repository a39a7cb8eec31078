// @lockkit/lockfile/release-time: when answers may leave. For the conformance suite.
export { waitUntilRelease } from './plan/release-time.js';
