import type { Answer } from '../dialects/contract/dialect.ts'
import { inside, keysOf, type Part } from '../json/documents.ts'
import { objectOf } from '../json/flat-schema.ts'
import { define, isRecord, type Json } from '../json/json.ts'
import { hash } from '../time/random.ts'
import type { Binding } from './binding.ts'
import {
  type Content,
  isJsonType,
  isPlainJson,
  jsonContent,
  type Operation,
  readContent,
  type SourceDocument,
} from './document.ts'
import type { Engine } from './engine.ts'
import type { Tools } from './project.ts'
import { examplesOf } from './seed-data.ts'
import { successOf } from './views.ts'

/** Creates the answers of operations that are no resource: a valid example of the document, else a generated value. */
export function createExamples(
  source: SourceDocument,
  engine: Engine,
  tools: Tools,
): (binding: Binding) => Answer {
  const known = new Map<Operation, Answer>()
  return ({ operation }) => {
    const found = known.get(operation)
    if (found) return found
    const [status, response] = successOf(operation)
    const answer = toAnswer(status, response)
    known.set(operation, answer)
    return answer
  }

  function toAnswer(status: number, response: Part | undefined): Answer {
    const headers = response ? headersOf(response) : []
    const contents = response ? readContent(response) : []
    const content = jsonContent(contents) ?? contents[0]
    if (!content || status === 204 || status === 304 || status < 200) {
      return { status: status < 200 ? 200 : status, headers, value: undefined }
    }
    const value = valueOf(content)
    const [main = '', rest = ''] = content.type.split(/[/;]/)
    const type = rest === '*' ? (usualTypes[main] ?? content.type) : content.type
    if (isJsonType(type) || type.includes('*'))
      return { status, headers, value, ...typeOf(content) }
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return { status, headers, value: undefined, text, type }
  }

  function valueOf({ type, schema, part }: Content): Json {
    const examples = examplesOf(followExamples(part))
    const [first] = examples
    if (!schema) return first ?? (isJsonType(type) || type.includes('*') ? {} : '')
    const valid = examples.find((one) => engine.accepts(schema, one))
    if (valid !== undefined) return valid
    return drawValid(schema, engine, tools)
  }

  /** A media type whose named examples are not references. */
  function followExamples(media: Part): Part {
    const examples = inside(media, 'examples')
    if (!isRecord(media.value) || !isRecord(examples.value)) return media
    const followed = keysOf(examples).map((key): [string, Json] => [
      key,
      (source.follow(inside(examples, key))?.value ?? null) as Json,
    ])
    return { ...media, value: { ...media.value, examples: Object.fromEntries(followed) } }
  }

  /** The headers that a response has to have. */
  function headersOf(response: Part): [string, string][] {
    const headers = inside(response, 'headers')
    return keysOf(headers).flatMap((name): [string, string][] => {
      const part = source.follow(inside(headers, name))
      const isPlain =
        /^(?:content-type|content-length|location|link)$/i.test(name) || !/^[\w-]+$/.test(name)
      if (!part || isPlain || inside(part, 'required').value !== true) return []
      const schema = inside(part, 'schema')
      const seed = hash(`${tools.seed} ${part.uri}`)
      const value = schema.value === undefined ? 'value' : tools.draw(schema, { seed, name })
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return [[name, text.replaceAll(/[^ -~]/g, '')]]
    })
  }
}

/** The media types of a range such as `image/*`. */
const usualTypes: Readonly<Record<string, string>> = {
  audio: 'audio/mpeg',
  font: 'font/woff2',
  image: 'image/png',
  text: 'text/plain',
  video: 'video/mp4',
}

/** Draws until a value is valid: a value of `oneOf` can be valid for several choices. */
export function drawValid(schema: Part, engine: Engine, tools: Pick<Tools, 'draw' | 'seed'>): Json {
  let first: Json | undefined
  for (let choice = 0; choice < 12; choice++) {
    const value = tools.draw(schema, {
      seed: hash(`${tools.seed} ${schema.uri} ${choice}`),
      name: 'value',
      choice: choice % 6,
      isSparse: choice > 5 && choice < 10,
      examples: choice < 4 ? 'always' : 'never',
    })
    if (engine.accepts(schema, value)) return value
    first ??= value
  }
  return first ?? null
}

/**
 * Draws the members of a generated record again that a schema refuses, such as one that two responses describe
 * differently. Returns the record as it is if no other value is valid.
 */
export function repair(record: Json, part: Part, engine: Engine, tools: Tools): Json {
  const issues = engine.issues(part, record)
  const flat = issues.length > 0 ? objectOf(part, tools.flatten) : undefined
  if (!flat || !isRecord(record)) return record
  const repaired = { ...record }
  for (const key of new Set(issues.map(({ path }) => String(path[0] ?? '')))) {
    const [property] = flat.properties.get(key) ?? []
    if (property) define(repaired, key, drawValid(property, engine, tools))
  }
  if (engine.accepts(part, repaired)) return repaired
  const drawn = drawValid(part, engine, tools)
  if (!isRecord(drawn)) return record
  // The record keeps its own values where they are valid together, else its id.
  const own = 'id' in repaired ? { id: repaired['id'] } : {}
  const candidates = [
    { ...drawn, ...repaired },
    { ...repaired, ...drawn, ...own },
    { ...drawn, ...own },
    drawn,
  ] as Json[]
  return candidates.find((one) => engine.accepts(part, one)) ?? repaired
}

/** The media type of an answer; the usual one has no entry. */
export function typeOf({ type }: Content): Pick<Answer, 'type'> {
  const isUsual = isPlainJson(type) || type.includes('*')
  return isUsual ? {} : { type }
}
