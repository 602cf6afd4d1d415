import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

import type { Header, OpenApiDocument } from '../../src/core/types/openapi.ts'
import { type PlacedOperation, resolve, responseOf } from './document.ts'

/** A response as a client gets it. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** Headers that belong to HTTP or to CORS, and not to an API. */
const outside =
  /^(?:content-(?:type|length|encoding)|date|connection|keep-alive|transfer-encoding|access-control-.*|cross-origin-.*)$/

/** Creates a function that lists where a response differs from the document. */
export function createCheck(
  document: OpenApiDocument,
): (placed: PlacedOperation, answer: Answer) => string[] {
  // Most schemas validate a few responses, so that optimized code costs more than it saves.
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema({ $id: 'doc:/api', components: document.components })
  const coercing = new Ajv2020({ strict: false, coerceTypes: true })
  formats.default(coercing)

  const validators = new Map<string, ValidateFunction>()
  const compile = (schema: unknown): ValidateFunction => {
    const key = JSON.stringify(schema).replaceAll('"#/components/', '"doc:/api#/components/')
    const found = validators.get(key) ?? ajv.compile(JSON.parse(key) as AnySchema)
    validators.set(key, found)
    return found
  }

  return ({ operation }, { status, headers, text }) => {
    const response = responseOf(document, operation, status)
    if (!response) return [`status ${status} is not described: ${text.slice(0, 300)}`]
    const { content, headers: described = {} } = response
    const problems: string[] = []
    const given = new Map<string, Header>()
    for (const [name, header] of Object.entries(described)) {
      const one = resolve<Header>(document, header)
      given.set(name.toLowerCase(), one)
      const value = headers.get(name)
      if (value === null && one.required) problems.push(`the header ${name} is missing`)
      if (value !== null && !coercing.validate(one.schema, { value }.value)) {
        problems.push(`the header ${name} is "${value}"`)
      }
    }
    for (const name of headers.keys()) {
      if (!given.has(name) && !outside.test(name) && !operation['x-not-described']) {
        problems.push(`the header ${name} is not described for ${status}`)
      }
    }
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    if (text === '') return problems
    const media = content?.[type] ?? content?.['*/*']
    if (!media) return [...problems, `the type "${type}" is not described for ${status}`]
    if (!media.schema || !type.endsWith('json')) return problems
    const validate = compile(media.schema)
    if (!validate(JSON.parse(text))) {
      const [error] = validate.errors ?? []
      problems.push(
        `the body of ${status} ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}: ${text.slice(0, 400)}`,
      )
    }
    return problems
  }
}
