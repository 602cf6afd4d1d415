import { register } from 'node:module'

/** Makes the import of the SDK of MCP fail as in a project that has not installed it. */
const hooks = `export async function resolve(name, context, next) {
  if (!name.startsWith('@modelcontextprotocol/')) return next(name, context)
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
