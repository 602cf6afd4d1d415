export { handlers, type HandlersOptions, strict, type StrictOptions } from './faces/msw/handlers.ts'
