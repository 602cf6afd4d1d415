import { internalsOf } from '../../src/core/http/contract/internals.ts'
import type { JsonRecord } from '../../src/core/json/json.ts'
import type { Random } from '../../src/core/time/random.ts'
import type { OpenApiDocument, Parameter } from '../../src/core/types/openapi.ts'
import type { Mock } from '../../src/index.ts'
import { operationsOf, parametersOf, type PlacedOperation } from './document.ts'
import { drawBadBody, drawBody } from './draw-body.ts'
import { generateValue, pick } from './generate-value.ts'

/** A request of the random traffic. */
export interface RandomRequest {
  placed: PlacedOperation
  method: string
  /** The path and query below the base. */
  url: string
  headers: Record<string, string>
  body?: string
  /** Whether the document allows the request. */
  isAllowed: boolean
}

/** What earlier responses tell the traffic. */
export interface Memory {
  tags: string[]
  cursors: string[]
  headers: Record<string, string>
}

/** Creates a function that draws the next request, mostly from what the document describes. */
export function createTraffic(
  document: OpenApiDocument,
  mock: Mock,
  random: Random,
  memory: Memory,
): () => RandomRequest {
  const reads = operationsOf(document).filter(({ method }) => method === 'get')
  const all = operationsOf(document)
  return () => {
    const placed = random() < 0.4 ? pick(random, reads) : pick(random, all)
    return createRequest(document, mock, random, memory, placed)
  }
}

function createRequest(
  document: OpenApiDocument,
  mock: Mock,
  random: Random,
  memory: Memory,
  placed: PlacedOperation,
): RandomRequest {
  const { operation, path, method } = placed
  const parameters = parametersOf(document, operation)
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const own = parameters.find((one) => one.in === 'path' && one.name === name)
    // The last of two ids is that of a child, whose resource is the tag of the operation.
    const isChild = name === 'id' && /\}.*\{id\}$/.test(path)
    const owner = isChild ? `/${operation.tags?.[0]}/{id}` : path
    return encodeURIComponent(String(drawId(document, mock, random, owner, own)))
  })
  const headers: Record<string, string> = { ...memory.headers }
  for (const one of parameters.filter((each) => each.in === 'header')) {
    const value = drawHeader(one, random, memory, document)
    if (value !== undefined) headers[one.name] = value
  }
  const records = recordsOf(mock, operation.tags?.[0])
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required === true || random() < 0.12))
    .flatMap((one) => drawQuery(document, mock, random, records, one, memory))
  const search = query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const url = at + (search.length > 0 ? `?${search.join('&')}` : '')
  const base = { placed, method: method.toUpperCase(), url, headers }
  const { requestBody } = operation
  const needsLogin = operation.security?.every((one) => Object.keys(one).length > 0) ?? false
  const isAllowed = !needsLogin || headers['Authorization'] !== undefined
  const takesEmpty = internalsOf(mock).service.dialect.serve !== undefined
  if (!requestBody) return { ...base, isAllowed }
  if (random() < 0.15)
    return { ...base, ...drawBadBody(random, headers, takesEmpty), isAllowed: false }
  const type = pick(random, Object.keys(requestBody.content))
  const body = drawBody(document, random, type, requestBody)
  if (body === undefined)
    return { ...base, ...drawBadBody(random, headers, takesEmpty), isAllowed: false }
  return {
    ...base,
    headers: { ...headers, 'Content-Type': body.type },
    body: body.text,
    // Prism validates every type that ends in +json by the schema of the first.
    isAllowed: isAllowed && !type.endsWith('+json'),
  }
}

/** The records of a collection, for values that exist. */
function recordsOf(mock: Mock, name = ''): JsonRecord[] {
  const found = internalsOf(mock).store.resources.get(name)
  return found?.kind === 'collection' ? [...found.records()] : []
}

/** The records that the first part of a path leads to, for ids that exist. */
function recordsAt(mock: Mock, path: string): JsonRecord[] {
  const names = path.split('/').slice(1).map(decodeURIComponent)
  const resources = [...internalsOf(mock).store.resources.values()]
  const found = resources.find(
    ({ name }) => names.join('/').startsWith(name) || names.slice(1).join('/').startsWith(name),
  )
  return found?.kind === 'collection' ? [...found.records()] : []
}

function drawId(
  document: OpenApiDocument,
  mock: Mock,
  random: Random,
  path: string,
  parameter: Parameter | undefined,
): unknown {
  const records = recordsAt(mock, path)
  const drawn = generateValue(document, parameter?.schema ?? true, random)
  if (records.length === 0 || random() < 0.2) return drawn === '' ? 'x' : drawn
  const name = path.slice(1).split('/{')[0] ?? ''
  const resource = [...internalsOf(mock).store.resources.values()].find((one) =>
    decodeURIComponent(name).endsWith(one.name),
  )
  const field = resource?.kind === 'collection' ? resource.idField : 'id'
  return pick(random, records)[field] ?? drawn
}

function drawHeader(
  parameter: Parameter,
  random: Random,
  { tags }: Memory,
  document: OpenApiDocument,
): string | undefined {
  const { name, schema } = parameter
  if (random() > 0.2 && !parameter.required) return undefined
  if (/^if-(?:none-)?match$/i.test(name)) return pick(random, ['*', '"x"', ...tags.slice(-5)])
  if (/^if-(?:un)?modified-since$/i.test(name)) {
    return pick(random, ['Tue, 01 Jan 2030 00:00:00 GMT', 'Sat, 01 Jan 2000 00:00:00 GMT'])
  }
  if (/^prefer$/i.test(name)) return pick(random, ['return=minimal', 'return=representation'])
  return String(generateValue(document, schema, random)).replaceAll(/[^\x21-\x7E]/g, 'x') || 'x'
}

function drawQuery(
  document: OpenApiDocument,
  mock: Mock,
  random: Random,
  records: readonly JsonRecord[],
  { name, description = '', schema }: Parameter,
  { cursors }: Memory,
): [name: string, value: string][] {
  const record = records.length > 0 ? pick(random, records) : {}
  const keys = Object.keys(record).filter((key) => key !== '')
  const field = keys.length > 0 ? pick(random, keys) : 'id'
  const named = Array.from(description.matchAll(/`([^`]+)`/g), ([, one = '']) => one)
  switch (name) {
    case '_embed':
    case '_expand':
      return [[name, pick(random, named)]]
    case '_fields':
      return [[name, random() < 0.5 ? field : `id,${field}`]]
    case '_sort':
      return [[name, random() < 0.5 ? field : `-${field}`]]
    case '_order':
      return [[name, pick(random, ['asc', 'desc'])]]
    case '_where':
      return [[name, JSON.stringify({ or: [{ [field]: { eq: 1 } }, { id: { ne: 0 } }] })]]
    case '_cursor':
      return [[name, pick(random, ['', ...cursors.slice(-3)])]]
    case '_dependent':
      return [[name, pick(random, [...internalsOf(mock).store.resources.keys()])]]
    case 'filter':
      return [[name, JSON.stringify({ [field]: record[field] ?? null })]]
    case 'sort':
      return [[name, JSON.stringify([field, pick(random, ['ASC', 'DESC'])])]]
    case 'range':
      return [[name, JSON.stringify([0, Math.floor(random() * 5)])]]
    case 'embed':
      return [[name, JSON.stringify([pick(random, named)])]]
    default:
      break
  }
  const known = name.startsWith('_') ? undefined : record[name.replace(/_[a-z]+$/i, '')]
  const value =
    known === undefined || typeof known === 'object' || random() < 0.4
      ? generateValue(document, schema, random)
      : known
  return [value].flat().map((one) => [name, String(one)])
}

/** Keeps what a response tells for later requests. */
export function remember(memory: Memory, headers: Headers): void {
  const tag = headers.get('etag')
  if (tag !== null) memory.tags.push(tag)
  const cursor = /_cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
  if (cursor !== undefined) memory.cursors.push(decodeURIComponent(cursor))
}

/** A body as bytes, to which `fetch` adds no type. */
export function toBytes(body: string | undefined): Uint8Array<ArrayBuffer> | null {
  return body === undefined ? null : new TextEncoder().encode(body)
}
