// The entry `fixtura/msw`: the handlers by which MSW (Mock Service Worker) answers from a mock.
export { handlers, type HandlersOptions, strict, type StrictOptions } from './faces/msw/handlers.ts'
