import { defineConfig } from 'vitest/config'

// One page, one server of Vite's, and one copy of what they all import do for many files.
const common = { testTimeout: 40_000, hookTimeout: 40_000, isolate: false }

export default defineConfig({
  test: {
    // They wait for each other's processes more than they work.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/browser/chromium.setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          // It is no table: it compares faces that all have the mock at hand, which no page has.
          exclude: ['test/contract/behaviours/together.test.ts'],
          globalSetup: ['test/browser/chromium.setup.ts', 'test/browser/contract/pages.setup.ts'],
          setupFiles: ['test/browser/contract/faces.setup.ts'],
        },
      },
    ],
  },
})
