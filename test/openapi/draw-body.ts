import { isRecord } from '../../src/core/json/json.ts'
import { toPointer } from '../../src/core/json/pointer.ts'
import type { Random } from '../../src/core/time/random.ts'
import type { OpenApiDocument, RequestBody } from '../../src/core/types/openapi.ts'
import { type JsonSchema, resolve } from './document.ts'
import { generateValue, pick } from './generate-value.ts'

/** A body that every mock refuses. */
export function drawBadBody(
  random: Random,
  headers: Record<string, string>,
  takesEmpty: boolean,
): { headers: Record<string, string>; body?: string } {
  const [type, body] = pick(random, [
    // Without a type, as Prism never answers a request whose JSON it cannot parse.
    ['', '{"broken'],
    ['application/json', '5'],
    [takesEmpty ? '' : 'application/json', takesEmpty ? '{' : ''],
    ['application/json', takesEmpty ? '5' : '[1]'],
    ['text/plain', 'plain'],
    ['application/xml', '<a/>'],
    ['application/json', `${'['.repeat(150)}${']'.repeat(150)}`],
  ] as const)
  return {
    headers: { ...headers, ...(type !== '' && { 'Content-Type': type }) },
    ...(body !== '' && { body }),
  }
}

/** A body that the document allows; undefined for a form without a field. */
export function drawBody(
  document: OpenApiDocument,
  random: Random,
  type: string,
  { content }: RequestBody,
): { type: string; text: string } | undefined {
  if (type === 'application/json-patch+json') {
    const { schema = true } = content['application/json'] ?? {}
    return { type, text: JSON.stringify(drawJsonPatch(document, random, schema)) }
  }
  const { schema = true } = content[type] ?? {}
  const value = generateValue(document, schema, random)
  if (type.endsWith('json')) return { type, text: JSON.stringify(value) }
  const fields = Object.entries(isRecord(value) ? value : {}).map(
    ([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)] as const,
  )
  if (fields.length === 0) return undefined
  if (type === 'application/x-www-form-urlencoded') {
    return { type, text: fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&') }
  }
  const lines = fields.map(
    ([name, one]) => `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${one}\r\n`,
  )
  return { type: `${type}; boundary=xx`, text: `${lines.join('')}--xx--\r\n` }
}

/**
 * A JSON Patch after which a record is as the document describes it, from the schema of the fields that a PATCH
 * replaces; now and then a JSON Patch that does not apply.
 */
function drawJsonPatch(document: OpenApiDocument, random: Random, schema: JsonSchema): object[] {
  if (random() < 0.2) return [{ op: 'test', path: '/nowhere', value: 1 }]
  const fields = generateValue(document, schema, random)
  const changes = Object.entries(isRecord(fields) ? fields : {}).flatMap(([name, value]) => {
    const path = toPointer([name])
    const change = { op: random() < 0.7 ? 'add' : 'replace', path, value }
    return random() < 0.2 ? [change, { op: 'test', path, value }] : [change]
  })
  const optional = optionalFields(document, schema)
  if (optional.length === 0 || random() < 0.7) return changes
  return [...changes, { op: 'remove', path: toPointer([pick(random, optional)]) }]
}

/** The fields that a record can lack, of those that a PATCH such as `PostPatch` replaces. */
function optionalFields(document: OpenApiDocument, schema: JsonSchema): string[] {
  const { $ref } = isRecord(schema) ? schema : {}
  if (typeof $ref !== 'string') return []
  const { properties } = resolve<Record<string, unknown>>(document, { $ref })
  // Some envelopes have no schema of the whole record, which says what may be removed.
  const name =
    $ref
      .split('/')
      .at(-1)
      ?.replace(/Patch$/, '') ?? ''
  const whole = document.components?.schemas?.[name]
  if (!isRecord(whole)) return []
  const { required } = whole
  const always = Array.isArray(required) ? required : []
  return Object.keys(isRecord(properties) ? properties : {}).filter((one) => !always.includes(one))
}
