import { isRecord } from '../../src/core/json/json.ts'
import type { Random } from '../../src/core/time/random.ts'
import type { OpenApiDocument } from '../../src/core/types/openapi.ts'
import { type JsonSchema, resolve } from './document.ts'

const words = [
  'alpha',
  'Beta',
  'gamma delta',
  'ünï',
  '日本',
  'a,b',
  "o'neil",
  '%',
  '0',
  '-1',
  'x'.repeat(40),
]

/** Draws one of some values. */
export function pick<T>(random: Random, all: readonly T[]): T {
  const found = all[Math.floor(random() * all.length)]
  if (found === undefined) throw new Error('Failed to pick: there is nothing to pick from.')
  return found
}

const formats: Readonly<Record<string, (random: Random) => string>> = {
  'date-time': (random) => new Date(1.6e12 + Math.floor(random() * 1e11)).toISOString(),
  date: (random) => new Date(1.6e12 + Math.floor(random() * 1e11)).toISOString().slice(0, 10),
  time: (random) => new Date(Math.floor(random() * 8e7)).toISOString().slice(11),
  uuid: (random) => {
    const hex = (length: number): string =>
      Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  },
  email: (random) => `user${Math.floor(random() * 1e6)}@example.com`,
  uri: (random) => `https://example.com/${Math.floor(random() * 1e6)}`,
  ipv4: () => '192.168.0.1',
  ipv6: () => '2001:db8::1',
  hostname: () => 'api.example.com',
}

/** Generates a value that a schema of a document allows. */
export function generateValue(
  document: OpenApiDocument,
  given: JsonSchema,
  random: Random,
  depth = 0,
): unknown {
  if (!isRecord(given)) return pick(random, words)
  const schema = resolve<Record<string, unknown>>(document, given)
  const { anyOf, oneOf, type, enum: values, format, pattern, const: only } = schema
  const options = anyOf ?? oneOf
  const inner = (one: unknown): unknown =>
    generateValue(document, one as JsonSchema, random, depth + 1)
  if (only !== undefined) return only
  if (Array.isArray(values)) return pick(random, values)
  if (Array.isArray(options)) return inner(pick(random, options))
  switch (pick(random, [type ?? (schema['properties'] ? 'object' : 'string')].flat())) {
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'integer':
      return Number(schema['minimum'] ?? 0) + Math.floor(random() * 40)
    case 'number':
      return Number(schema['minimum'] ?? 0) + Math.floor(random() * 4000) / 100
    case 'array': {
      const { items, minItems = 0, maxItems = 3 } = schema
      const length = Math.min(Number(minItems) + Math.floor(random() * 3), Number(maxItems))
      return depth > 6 ? [] : Array.from({ length }, () => inner(items ?? {}))
    }
    case 'object':
      return generateObject(schema, inner, random)
    default:
      break
  }
  if (typeof format === 'string' && formats[format]) return formats[format](random)
  if (typeof pattern === 'string') return generateText(pattern, random)
  const text = random() < 0.7 ? pick(random, words) : `text ${Math.floor(random() * 1e6)}`
  return text
    .padEnd(Number(schema['minLength'] ?? 0), 'x')
    .slice(0, Number(schema['maxLength'] ?? 1000))
}

function generateObject(
  { properties, required, additionalProperties }: Record<string, unknown>,
  inner: (schema: unknown) => unknown,
  random: Random,
): unknown {
  const names = Array.isArray(required) ? required : []
  const own = Object.entries(isRecord(properties) ? properties : {})
    .filter(([name]) => names.includes(name) || random() < 0.5)
    .map(([name, schema]) => [name, inner(schema)])
  const others = isRecord(additionalProperties)
    ? ['2026-04-01', '2026-05-01']
        .filter(() => random() < 0.5)
        .map((key) => [key, inner(additionalProperties)])
    : []
  return Object.fromEntries([...own, ...others]) as unknown
}

/** A text for the patterns that shapes have. */
function generateText(pattern: string, random: Random): string {
  const digit = (): string => String(Math.floor(random() * 10))
  if (pattern.includes(String.raw`\d+`)) return digit() + digit()
  const length = /\{(\d+)\}/.exec(pattern)?.[1] ?? '5'
  const text = Array.from({ length: Number(length) }, digit).join('')
  const [, first = ''] = /^\^(#)/.exec(pattern) ?? []
  return pattern.startsWith('^[0-7]') ? `0${text}` : first + text
}
