// The entry `fixtura/vitest`: a Vitest `test` that gives each test a fork of a mock.
export type { IsolatedMock as World } from './isolation/isolate.ts'
export { mockTest } from './faces/vitest/mock-test.ts'
