export type { World } from './isolation/isolate.ts'
export { mockTest } from './faces/vitest/mock-test.ts'
