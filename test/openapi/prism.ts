import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'

import type { OpenApiDocument } from '../../src/core/types/openapi.ts'

/** The proxies of Prism in front of a server, as `prism proxy --errors` starts them. */
export interface Proxies {
  /** A proxy that also validates requests. */
  strict: string
  /** A proxy that validates responses alone, for requests that break the document. */
  lenient: string
  close(): Promise<void>
}

/** Starts the proxies of a document. */
export async function startProxies(document: OpenApiDocument, upstream: string): Promise<Proxies> {
  // Prism changes what it reads.
  const operations = await getHttpOperationsFromSpec(structuredClone(document))
  const start = async (
    validateRequest: boolean,
  ): Promise<{ url: string; close(): Promise<void> }> => {
    const server = createServer(operations, {
      cors: false,
      config: {
        isProxy: true,
        upstream: new URL(upstream),
        upstreamProxy: undefined,
        validateRequest,
        validateResponse: true,
        // A request without credentials breaks the document, but has a response to validate.
        checkSecurity: validateRequest,
        errors: true,
        mock: { dynamic: false },
      },
      components: { logger: createLogger('prism', { level: 'silent' }) },
    })
    const url = await server.listen(0, '127.0.0.1')
    return { url, close: () => server.close() }
  }
  const [strict, lenient] = await Promise.all([start(true), start(false)])
  return {
    strict: strict.url,
    lenient: lenient.url,
    async close() {
      await Promise.all([strict.close(), lenient.close()])
    },
  }
}

/** What Prism found in a request or a response; undefined if both are as the document says. */
export function findViolation(headers: Headers, text: string): string | undefined {
  const violations = headers.get('sl-violations')
  if (violations !== null) return violations
  return text.includes('stoplight.io/prism/errors') ? text : undefined
}
