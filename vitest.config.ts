import { defineConfig } from 'vitest/config';

// Tests import workspace packages by their "source" condition: what runs is the code that was edited.
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['{lockkit,lockssh,lockfile,conformance,frontends/*}/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: true,
    // Most files wait for a server, a terminal or a child: two at once keep two cores busy.
    maxWorkers: 2,
  },
});
