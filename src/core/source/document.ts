import { type Documents, elementsOf, follow, inside, keysOf, type Part } from '../json/documents.ts'
import { isRecord, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { splitUri, withoutSlash } from '../url/uri.ts'
import { normalize } from './normalize.ts'

/** Reads the operations of an OpenAPI document. References are followed when they are needed. @throws MockError */
export function readDocument(documents: Documents, uri: string): SourceDocument {
  const root = normalize(documents, uri)
  const own = new Map([['', root]])
  const problems: Problem[] = []
  const top: Part = { value: root, uri: '#' }
  const source: SourceDocument = {
    root,
    operations: [],
    problems,
    prefixes: prefixesOf(top),
    follow: (part) => follow(own, part),
  }
  const paths = inside(top, 'paths')
  for (const path of keysOf(paths)) {
    if (path.startsWith('x-')) continue
    const item = source.follow(inside(paths, path))
    if (!item) problems.push({ place: inside(paths, path).uri, reason: 'its $ref leads nowhere' })
    else source.operations.push(...readPath(path, item, source))
  }
  return source
}

/** An OpenAPI document, normalized, with its operations. */
export interface SourceDocument {
  root: JsonRecord
  operations: Operation[]
  /** The parts that cannot be served. */
  problems: Problem[]
  /** The paths of the servers: `/api/v3`. */
  prefixes: readonly string[]
  /** Follows the `$ref` of a part; undefined if it leads nowhere, or back to itself. */
  follow(part: Part): Part | undefined
}

/** A part of the document that cannot be served, by its place: `#/paths/~1posts/get`. */
export interface Problem {
  place: string
  reason: string
}

/** A method of a path. */
export interface Operation {
  /** In upper case. */
  method: string
  /** The template as written: `/users/{id}/posts`. */
  path: string
  /** The template with all parameters alike: `/users/{}/posts`. */
  template: string
  segments: readonly Segment[]
  part: Part
  parameters: readonly Parameter[]
  body: Body | undefined
  /** The responses by status, as written: `200`, `4XX`, `default`. */
  responses: ReadonlyMap<string, Part>
}

/** A segment of a template: its text before and after a parameter; only the text without one. */
export interface Segment {
  text: string
  /** The name of the parameter; a segment such as `{from}...{to}` has several. */
  names: readonly string[]
  pattern: RegExp | undefined
}

/** A parameter with its schema. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  isRequired: boolean
  schema: Part | undefined
  /** Whether the value is JSON. */
  isJson: boolean
  style: string
  explode: boolean
}

/** The body of a request, with the schema of each media type. */
export interface Body {
  isRequired: boolean
  content: readonly Content[]
}

/** A media type, in lower case, and the part that describes it. */
export interface Content {
  type: string
  part: Part
  schema: Part | undefined
}

const methods = 'get put post delete options head patch trace query'.split(' ')

/** Reads the operations of a path item. */
export function readPath(path: string, item: Part, source: SourceDocument): Operation[] {
  const others = inside(item, 'additionalOperations')
  const parts = [
    ...methods.map((method) => [method, inside(item, method)] as const),
    ...keysOf(others).map((method) => [method, inside(others, method)] as const),
  ]
  const shared = elementsOf(inside(item, 'parameters'))
  const segments = toSegments(path)
  return parts.flatMap(([method, part]) => {
    if (part.value === undefined) return []
    if (!isRecord(part.value)) {
      source.problems.push({ place: part.uri, reason: 'it is no object' })
      return []
    }
    return [
      {
        method: method.toUpperCase(),
        path,
        template: `/${segments.map(({ text }) => bareTemplate(text)).join('/')}`,
        segments,
        part,
        parameters: readParameters([...shared, ...elementsOf(inside(part, 'parameters'))], source),
        body: readBody(part, source),
        responses: readResponses(part, source),
      },
    ]
  })
}

/** Writes the parameters of a template alike. */
export function bareTemplate(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

function readParameters(parts: readonly Part[], source: SourceDocument): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const one of parts) {
    const part = source.follow(one)
    if (!part || !isRecord(part.value)) {
      source.problems.push({ place: one.uri, reason: 'the parameter leads nowhere' })
      continue
    }
    const { name, in: place, required, style, explode } = part.value
    if (typeof name !== 'string' || !isPlace(place)) continue
    // OpenAPI 3.1 §4.8.12.2: the media types and the security scheme describe these headers.
    if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) continue
    const [content] = readContent(part)
    const schema = content?.schema ?? inside(part, 'schema')
    const isForm = place === 'query' || place === 'cookie'
    // An operation overrides the parameter of its path with the same name.
    found.set(`${place} ${name}`, {
      name,
      in: place,
      isRequired: required === true || place === 'path',
      schema: schema.value === undefined ? undefined : schema,
      isJson: content !== undefined,
      style: typeof style === 'string' ? style : isForm ? 'form' : 'simple',
      explode: typeof explode === 'boolean' ? explode : isForm,
    })
  }
  return [...found.values()]
}

function isPlace(place: unknown): place is Parameter['in'] {
  return ['path', 'query', 'header', 'cookie'].includes(String(place))
}

function readBody(operation: Part, source: SourceDocument): Body | undefined {
  const given = inside(operation, 'requestBody')
  if (given.value === undefined) return undefined
  const part = source.follow(given)
  if (!part || !isRecord(part.value)) {
    source.problems.push({ place: given.uri, reason: 'the body leads nowhere' })
    return undefined
  }
  return { isRequired: part.value['required'] === true, content: readContent(part) }
}

function readResponses(operation: Part, source: SourceDocument): Map<string, Part> {
  const responses = inside(operation, 'responses')
  const found = new Map<string, Part>()
  for (const status of keysOf(responses)) {
    if (!/^(?:[1-5]\d\d|[1-5]xx|default)$/i.test(status)) continue
    const part = source.follow(inside(responses, status))
    if (part && isRecord(part.value)) found.set(status.toLowerCase(), part)
    else source.problems.push({ place: inside(responses, status).uri, reason: 'it leads nowhere' })
  }
  return found
}

/** Reads the media types of a body or a response. */
export function readContent(part: Part): Content[] {
  const content = inside(part, 'content')
  return keysOf(content).map((type) => {
    const media = inside(content, type)
    const schema = inside(media, 'schema')
    return {
      type: type.toLowerCase().trim(),
      part: media,
      schema: schema.value === undefined ? undefined : schema,
    }
  })
}

/** Whether a media type is JSON: `application/json`, `application/hal+json`; not `application/json-seq` (RFC 7464). */
export function isJsonType(type: string): boolean {
  return /[/+]json\s*(?:;|$)/.test(type)
}

/** Whether a media type is `application/json`, with or without parameters. */
export function isPlainJson(type: string): boolean {
  return /^application\/json\s*(?:;|$)/.test(type)
}

/** Returns the content in JSON, which clients prefer; any other type counts that allows JSON. */
export function jsonContent(contents: readonly Content[]): Content | undefined {
  return (
    contents.find(({ type }) => isPlainJson(type)) ??
    contents.find(({ type }) => isJsonType(type)) ??
    contents.find(({ type }) => type === '*/*' || type === 'application/*')
  )
}

function toSegments(path: string): Segment[] {
  const [plain = ''] = path.split(/[?#]/)
  return plain
    .split('/')
    .filter((text) => text !== '')
    .map((text) => {
      const names = Array.from(text.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name)
      if (names.length === 0) return { text, names, pattern: undefined }
      const source = text
        .split(/\{[^{}]*\}/)
        .map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
        .join('(.+?)')
      return { text, names, pattern: new RegExp(`^${source}$`, 's') }
    })
}

function prefixesOf(top: Part): string[] {
  const servers = elementsOf(inside(top, 'servers'))
  const paths = servers.flatMap((server) => {
    const { value: url } = inside(server, 'url')
    if (typeof url !== 'string') return []
    const variables = inside(server, 'variables')
    const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
      scalarText(inside(inside(variables, name), 'default').value),
    )
    return withoutSlash(splitUri(filled).path)
  })
  return [...new Set(paths)].filter((path) => path.startsWith('/'))
}
