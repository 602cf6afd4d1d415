import { createRequire } from 'node:module'
import { join } from 'node:path'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { ExpressApp } from './http/express.ts'

/** Creates an application of `express` 4 or 5, of the project or beside this package. @throws MockError without it */
export function loadExpress(): ExpressApp {
  const app = findExpress()()
  app.set('x-powered-by', false)
  // json-server has the same query parser and indents JSON in the same way.
  app.set('query parser', 'extended')
  app.set('json spaces', 2)
  return app
}

function findExpress(): () => ExpressApp {
  for (const start of [join(process.cwd(), '_'), import.meta.url]) {
    try {
      return createRequire(start)('express') as () => ExpressApp
    } catch (cause) {
      if (codeOf(cause) !== 'MODULE_NOT_FOUND') throw cause
    }
  }
  throw new MockError(
    'Failed to run middlewares: the package "express" is not installed. Please run `npm install --save-dev express`.',
    { code: 'EXPRESS_MISSING' },
  )
}
