import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Finds a `swagger-ui-dist` that shows OpenAPI 3.1, of the project or beside this package; undefined without one. */
export function findSwaggerUi(folder: string = process.cwd()): string | undefined {
  for (const start of [join(folder, '_'), import.meta.url]) {
    try {
      const require = createRequire(start)
      const path = require.resolve('swagger-ui-dist/package.json')
      const { version } = require(path) as { version: string }
      if (Number.parseInt(version) >= firstMajor) return dirname(path)
    } catch {
      // The package may be installed at the next start.
    }
  }
  return undefined
}

/** The first major version of Swagger UI that shows OpenAPI 3.1. */
const firstMajor = 5
