import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import { findFaults, learnInvalid } from './invalid.ts'
import { mostFrequent } from './list-facts.ts'
import {
  type TextSample,
  errorValues,
  type TemplateValues,
  escapeTemplate,
  toLiteral,
  toTextTemplate,
} from './text-template.ts'

/**
 * Learns the options of `rest` that render errors as the recorded API does: the body of errors, and their
 * messages by status or code.
 */
export function learnErrors(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): LearnedErrors {
  const samples = new Map<string, Sample[]>()
  for (const exchange of exchanges) {
    const { status, json } = exchange
    if (status < 400 || !isRecord(json) || findFaults(json, status)) continue
    const values = errorValues(exchange, resourcePaths)
    addToMultimap(samples, keyOf(exchange, resourcePaths), { status, body: json, values })
  }
  const kinds = [...samples]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, all]) => toKind(key, all))
  const invalid = learnInvalid(exchanges)
  const evidence = { invalid: 'an error of fields has this body' }
  if (kinds.length === 0) return { options: invalid, evidence, isPageMissing: false }
  const general = kinds.map(({ body, status }) => toGeneral(body, status))
  const best = mostFrequent(general.map((body) => JSON.stringify(body)))?.[0] ?? 'null'
  const error = JSON.parse(best) as Json
  const errors = kinds
    .filter(({ body }) => !isSame(body, error))
    .map((kind) => [nameOf(kind, kinds, 'body'), kind.body] as const)
  const messages = toMessages(kinds)
  const count = [...samples.values()].flat().length
  const words = count === 1 ? '1 error has this body' : `${count} errors have this body`
  return {
    options: {
      error,
      ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
      ...(Object.keys(messages).length > 0 && { messages }),
      ...invalid,
    },
    evidence: { ...evidence, error: words },
    isPageMissing: samples.has('PAGE_UNKNOWN'),
  }
}

/** The learned options for errors, each with its evidence. */
export interface LearnedErrors {
  options: Record<string, Json>
  evidence: Record<string, string>
  /** Whether a page after the last is a 404. */
  isPageMissing: boolean
}

/** An error that the API has sent. */
interface Sample {
  status: number
  body: JsonRecord
  values: TemplateValues
}

/**
 * The errors of one kind: errors with the same status are one kind, except that a missing record, a missing
 * page and a missing resource are three kinds of 404.
 */
interface Kind {
  key: string
  status: number
  body: Json
  detail: string | undefined
}

/** Returns the kind of an error: the code that the mock gives to a 404, otherwise the status. */
function keyOf({ status, segments, query }: ParsedExchange, resourcePaths: ResourcePaths): string {
  if (status !== 404) return String(status)
  const resourcePath = resourcePaths.find(segments)
  if (!resourcePath) return 'RESOURCE_UNKNOWN'
  const isPage = resourcePath.kind === 'collection' && numberOf(query, 'page') !== undefined
  return isPage ? 'PAGE_UNKNOWN' : 'NOT_FOUND'
}

function toKind(key: string, samples: readonly Sample[]): Kind {
  const status = samples[0]?.status ?? 0
  const bodies = samples.map(({ body }) => body)
  const path = detailPath(bodies)
  const texts = samples.flatMap(({ body, values }): TextSample[] => {
    const text = path && valueAt(body, path)
    return typeof text === 'string' ? [[text, values]] : []
  })
  return { key, status, body: toBody(bodies, samples, path), detail: toTextTemplate(texts) }
}

/** The names of the human-readable message in an error, the likeliest first. */
const detailNames = ['message', 'detail', 'error_description', 'description', 'msg', 'error']

/** Finds the keys that lead to the human-readable message; undefined if the errors have no such message. */
function detailPath(bodies: readonly JsonRecord[]): readonly string[] | undefined {
  const inner = Object.keys(bodies[0] ?? {}).filter((key) =>
    bodies.every((body) => isRecord(body[key])),
  )
  const paths = detailNames.flatMap((name) => [[name], ...inner.map((key) => [key, name])])
  return paths.find((path) => bodies.every((body) => typeof valueAt(body, path) === 'string'))
}

/** Creates the template of the bodies of one kind from the members that all bodies have. */
function toBody(
  bodies: readonly Json[],
  samples: readonly Sample[],
  detail: readonly string[] | undefined,
): Json {
  if (detail?.length === 0) return '$detail'
  if (bodies.every(isRecord)) {
    const keys = Object.keys(bodies[0] ?? {}).filter((key) =>
      bodies.every((body) => Object.hasOwn(body, key)),
    )
    return Object.fromEntries(
      keys.map((key) => {
        const inner = bodies.map((body) => body[key] as Json)
        return [
          escapeTemplate(key),
          toBody(inner, samples, detail?.[0] === key ? detail.slice(1) : undefined),
        ]
      }),
    )
  }
  if (bodies.every((body, at) => body === samples[at]?.status)) return '$status'
  if (bodies.every((body) => typeof body === 'string')) {
    const texts = bodies.map((body, at) => [body, samples[at]?.values ?? []] as const)
    return toTextTemplate(texts) ?? escapeTemplate(bodies.at(-1) ?? '')
  }
  return toLiteral(bodies.at(-1) ?? null)
}

/** Creates the body for errors of any status: the status and the code become variables. */
function toGeneral(body: Json, status: number, name = ''): Json {
  if (isRecord(body)) {
    const members = Object.entries(body)
    return Object.fromEntries(members.map(([key, inner]) => [key, toGeneral(inner, status, key)]))
  }
  if (body === status || body === String(status)) return '$status'
  const isCode = /^(?:.*code|type|error|name|kind|reason)$/i.test(name)
  return isCode && typeof body === 'string' && /^[\w-]+$/.test(body) ? '$code' : body
}

/** Returns the messages of errors by status or code. */
function toMessages(kinds: readonly Kind[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const kind of kinds) {
    if (kind.detail !== undefined) messages[nameOf(kind, kinds, 'detail')] = kind.detail
  }
  return messages
}

/**
 * Returns the name of a kind in the options: the status, or the code if another kind of this status differs or
 * the text names a record.
 */
function nameOf(kind: Kind, kinds: readonly Kind[], member: 'body' | 'detail'): string {
  const { key, status, [member]: value } = kind
  const isCommon = kinds.every((kind) => kind.status !== status || isSame(kind[member], value))
  const isNaming = typeof value === 'string' && /\$(?:id|model|resource|route|singular)/.test(value)
  return isCommon && !isNaming ? String(status) : key
}
