// @lockkit/cli/policy-files: what a command that reads policy files on its own needs.
export { readFiles as readPolicyFiles } from './read-policy-files.js';
