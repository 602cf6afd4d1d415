import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // MSW=3 runs the same tests with msw 3, which is installed beside msw 2 under another name.
    alias: process.env['MSW'] === '3' ? [{ find: /^msw(?=\/|$)/, replacement: 'msw3' }] : [],
  },
  test: {
    // A machine with two busy cores is slow now and then; what hangs is found all the same.
    testTimeout: 30_000,
    maxWorkers: '100%',
    include: ['test/**/*.test.{ts,tsx}'],
    // The example of remote tests needs a server; test/examples/remote.test.ts starts it and runs them.
    exclude: ['test/browser/**', 'test/examples/**/node_modules/**', 'test/examples/remote/**'],
  },
})
