import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The version of Swagger UI that can show OpenAPI 3.1, and later ones. */
const firstMajor = 5

/**
 * The folder of the package `swagger-ui-dist`: of the project in the working directory, else of the package that is
 * installed beside this one. Undefined where there is none, or one that is too old for OpenAPI 3.1.
 */
export function findSwaggerUi(folder: string = process.cwd()): string | undefined {
  for (const start of [join(folder, '_'), import.meta.url]) {
    try {
      const require = createRequire(start)
      const path = require.resolve('swagger-ui-dist/package.json')
      const { version } = require(path) as { version: string }
      if (Number.parseInt(version) >= firstMajor) return dirname(path)
    } catch {
      // The next place may have the package.
    }
  }
  return undefined
}
