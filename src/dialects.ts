export type { Dialect } from './core/dialects/dialect.ts'
export { rest } from './core/dialects/rest.ts'
