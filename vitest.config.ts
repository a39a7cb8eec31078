import { defineConfig } from 'vitest/config';

// Tests import workspace packages by their "source" condition: what runs is the code that was edited.
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['{lockkit,lockssh,lockfile,conformance,frontends/*}/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Real servers, terminals and accounts on a busy machine: slow is no failure, and a hiccup of one is tried again.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    retry: process.env['CI'] === 'true' ? 2 : 0,
    pool: 'forks',
    fileParallelism: true,
    // Most files wait for a server, a terminal or a child: two at once keep two cores busy.
    maxWorkers: 2,
  },
});
