import { register } from 'node:module'

// `openapi-typescript` uses the compiler as a library, which TypeScript 7 no longer is.
const hooks = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript59' : name, context)`

register(`data:text/javascript,${encodeURIComponent(hooks)}`)
