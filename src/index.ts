export { createManualClock, type Clock, type ManualClock } from './core/clock.ts'
export { defineConfig, type MockConfig } from './core/config.ts'
export { MockError } from './core/errors.ts'
export { createMock, type Mock } from './faces/fetch/create-mock.ts'
