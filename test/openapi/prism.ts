import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'

import { isRecord } from '../../src/core/json/json.ts'
import type { OpenApiDocument } from '../../src/core/types/openapi.ts'
import { operationsOf } from './document.ts'

/** The proxies of Prism in front of a server, as `prism proxy --errors` starts them. */
export interface Proxies {
  /** A proxy that also validates requests. */
  strict: string
  /** A proxy that validates responses alone, for requests that break the document. */
  lenient: string
  close(): Promise<void>
}

/** What every class of Ajv extends. */
const base = Object.getPrototypeOf(Ajv.prototype) as Ajv
const { compile } = base
const compiled = new WeakMap<object, Map<string, ValidateFunction>>()

// Prism compiles the schemas of each operation for the first of a few messages. Optimized code costs more than it
// saves, and many operations have equal headers. A reference is resolved in the schema, which has all others beside it.
base.compile = function (this: Ajv, schema: AnySchemaObject) {
  this.opts.code.optimize = 0
  const { __bundled__: _, ...own } = schema
  const key = JSON.stringify(own)
  const known = compiled.get(this) ?? new Map<string, ValidateFunction>()
  compiled.set(this, known)
  const found = known.get(key) ?? (compile.call(this, schema) as ValidateFunction)
  if (!key.includes('"$ref"')) known.set(key, found)
  return found
} as typeof compile

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

/** Starts the proxies of a document by the command `prism proxy --errors` itself. */
export async function startCommands(document: OpenApiDocument, upstream: string): Promise<Proxies> {
  // The command has no option that leaves credentials unchecked.
  const open = structuredClone(document)
  for (const { operation } of operationsOf(open)) delete operation.security
  const [strict, lenient] = await Promise.all([
    startCommand(document, upstream, []),
    startCommand(open, upstream, ['--validate-request', 'false']),
  ])
  return {
    strict: strict.url,
    lenient: lenient.url,
    async close() {
      await Promise.all([strict.close(), lenient.close()])
    },
  }
}

/** Starts `prism proxy --errors` with the document as a file. */
export async function startCommand(
  document: OpenApiDocument,
  upstream: string,
  options: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fixtura-prism-'))
  const path = join(folder, 'openapi.json')
  await writeFile(path, JSON.stringify(document))
  const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli')
  const args = [command, 'proxy', '--errors', '--port', '0', ...options, path, upstream]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('exit', () => reject(new Error(`Prism ended: ${output}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listening on (http:\/\/[\d.:]+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  // The command logs every request.
  child.stdout.removeAllListeners('data').resume()
  return {
    url,
    async close() {
      child.removeAllListeners('exit')
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true })
    },
  }
}

/** What Prism reports although it is none: of a response without a body, and of two parameters in a path outside of ASCII. */
const mistakes = [
  /received media type \\?"\\?" does not match/,
  /"location":\["path"\],"severity":"Error","code":"required"/,
]

/** What Prism found in a request or a response; undefined if both are as the document says. */
export function findViolation(headers: Headers, text: string): string | undefined {
  const listed = headers.get('sl-violations')
  if (listed === null && !text.includes('stoplight.io/prism/errors')) return undefined
  const all = listed === null ? toJson(text) : toJson(listed)
  const found = Array.isArray(all) ? all : isRecord(all) ? all['validation'] : undefined
  if (!Array.isArray(found)) return listed ?? text
  const real = found.filter((one) => !mistakes.some((mistake) => mistake.test(JSON.stringify(one))))
  return real.length > 0 ? JSON.stringify(real) : undefined
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
