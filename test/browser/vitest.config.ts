import { defineConfig } from 'vitest/config'

const common = {
  // A slow machine takes minutes for what a fast one does in seconds, and a test that hangs is found all the same.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Without isolation, the files of a worker share a page, a Vite server and the imported modules.
  isolate: false,
}

export default defineConfig({
  test: {
    // The tests mostly wait for other processes.
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
          // A page cannot reach what these compare: faces of one mock, and mocks of one process.
          exclude: [
            'test/contract/behaviours/together.test.ts',
            'test/contract/side-by-side.test.ts',
            // `fetch` shows a page no redirect, and a login is a chain of them.
            'test/contract/behaviours/oidc.test.ts',
            'test/contract/behaviours/oidc-conformance.test.ts',
            'test/contract/behaviours/oidc-presets.test.ts',
          ],
          globalSetup: ['test/browser/chromium.setup.ts', 'test/browser/contract/pages.setup.ts'],
          setupFiles: ['test/browser/contract/faces.setup.ts'],
        },
      },
    ],
  },
})
