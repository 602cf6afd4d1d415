export { type Started, startMock, type StartOptions } from './faces/browser/start-mock.ts'
