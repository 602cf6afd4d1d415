// The entry `fixtura/browser`: a mock that answers the requests of a page, through MSW's service worker.
export { type Started, startMock, type StartOptions } from './faces/browser/start-mock.ts'
