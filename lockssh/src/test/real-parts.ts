// Which real parts this machine has; with CI=true a missing one fails.
export { findProgram, requireReal, type RealPart } from '@lockkit/conformance/real-sshd';
