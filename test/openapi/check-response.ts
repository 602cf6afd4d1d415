import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

import type { JsonSchema } from '../../src/core/types/json-schema.ts'
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

// Most schemas validate a few responses, so that optimized code costs more than it saves.
const options = { strict: false, code: { optimize: false } }
const ajv = new Ajv2020(options)
formats.default(ajv)
const coercing = new Ajv2020({ ...options, coerceTypes: true })
formats.default(coercing)

/** Validates the value of a header; most headers have the same schema in all documents. */
const compileHeader = memoize((text) => coercing.compile(JSON.parse(text) as AnySchema))

let documents = 0

/** Creates a function that lists where a response differs from the document. */
export function createCheck(
  document: OpenApiDocument,
): (placed: PlacedOperation, answer: Answer) => string[] {
  const id = `doc:/${documents++}`
  ajv.addSchema({ $id: id, components: document.components })
  const compileBody = memoize((text) =>
    ajv.compile(JSON.parse(text.replaceAll('"#/components/', `"${id}#/components/`)) as AnySchema),
  )

  return ({ operation }, { status, headers, text }) => {
    const response = responseOf(document, operation, status)
    if (!response) return [`status ${status} is not described: ${text.slice(0, 300)}`]
    const { content, headers: described = {} } = response
    const problems: string[] = []
    const given = new Set<string>()
    for (const [name, header] of Object.entries(described)) {
      const one = resolve<Header>(document, header)
      given.add(name.toLowerCase())
      const value = headers.get(name)
      if (value === null && one.required) problems.push(`the header ${name} is missing`)
      if (value !== null && !compileHeader(one.schema)({ value }.value)) {
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
    const validate = compileBody(media.schema)
    if (!validate(JSON.parse(text))) {
      const [error] = validate.errors ?? []
      problems.push(
        `the body of ${status} ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}: ${text.slice(0, 400)}`,
      )
    }
    return problems
  }
}

/** Compiles a schema once for all schemas with the same text. */
function memoize(
  compile: (text: string) => ValidateFunction,
): (schema: JsonSchema) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>()
  // The text of a large schema takes longer than the validation of a response.
  const known = new WeakMap<object, ValidateFunction>()
  return (schema) => {
    const own = typeof schema === 'object' ? known.get(schema) : undefined
    if (own) return own
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? compile(text)
    compiled.set(text, validate)
    if (typeof schema === 'object') known.set(schema, validate)
    return validate
  }
}
