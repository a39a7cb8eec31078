// lockkit/sandbox-probe: hold the sandbox of this machine against a list of attempts (conformance/probes).
// Imported by the conformance suite and by tests; needs a C compiler.
export { openProbeBench } from './sandbox/probe/open-probe-bench.js';
export { callsOf, meets, parseProbeCases, type ProbeCase } from './sandbox/probe/probe-case.js';
export { canTry, type ProbeBench, runProbeBare, runProbeInside } from './sandbox/probe/run-probe.js';
