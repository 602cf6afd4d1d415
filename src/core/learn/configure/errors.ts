import type { ErrorFacts } from '../../dialects/rest-names/facts.ts'
import { errorVariables } from '../../dialects/rest-names/variables.ts'
import { isRecord, isSame, type Json, type JsonRecord, parseJson } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import type { ResourcePath, ResourcePaths } from '../recognize/resource-paths.ts'
import type { LearnedAnswers } from './dialects.ts'
import { mostFrequent } from './list-template.ts'
import { toRequestFacts, toTemplateOf, valuesOf } from './text-template.ts'

/** Learns the most frequent body of each error, except for those of invalid fields. */
export function learnErrors(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  endpoints?: ReadonlyMap<ParsedExchange, string>,
): LearnedAnswers {
  const bodies = new Map<string, string[]>()
  /** The statuses of refused actions on records. */
  const refused: string[] = []
  const logins: number[] = []
  for (const exchange of exchanges) {
    const { method, status, json, segments } = exchange
    if (status < 400 || !isRecord(json)) continue
    const resourcePath = resourcePaths.find(segments)
    const isAction =
      method !== 'GET' && resourcePaths.find(segments.slice(0, -1))?.kind === 'member'
    const isRefused = isAction && !resourcePath && (status === 409 || status === 422)
    if (isRefused) refused.push(String(status))
    const isLogin = endpoints?.get(exchange) === 'login'
    if (isLogin && exchange.check === undefined) continue
    if (isLogin && status !== 401) logins.push(status)
    if (method !== 'GET' && !isRefused && !isLogin && (status === 400 || status === 422)) continue
    const { collection, kind: pathKind } = resourcePath ?? {}
    const template = JSON.stringify(
      isRefused
        ? toDetailTemplate(json, exchange, collection, '$detail')
        : toErrorTemplate(json, exchange, collection, pathKind === 'collection'),
    )
    const kind = isRefused
      ? 'ACTION_REFUSED'
      : isLogin
        ? 'LOGIN_FAILED'
        : endpoints && status === 401 && exchange.isAnonymous
          ? 'UNAUTHORIZED'
          : kindOf(exchange, resourcePath)
    addToMultimap(bodies, kind, template)
  }
  const errors = Object.fromEntries(
    [...bodies]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, all]) => [kind, parseJson(mostFrequent(all)?.[0] ?? 'null')]),
  )
  const { UNAUTHORIZED, 401: usual = UNAUTHORIZED } = errors
  if (usual !== undefined) errors['401'] = usual
  for (const kind of ['UNAUTHORIZED', 'LOGIN_FAILED']) {
    if (usual !== undefined && isSame(errors[kind] ?? null, usual)) delete errors[kind]
  }
  const { NOT_FOUND, RESOURCE_UNKNOWN, ...others } = errors
  const isShared = NOT_FOUND !== undefined && isSame(NOT_FOUND, RESOURCE_UNKNOWN ?? null)
  const status = mostFrequent(refused)?.[0] ?? '409'
  return {
    ...(bodies.size > 0 && shareBody(isShared ? { 404: NOT_FOUND, ...others } : errors)),
    statuses: {
      ...(status !== '409' && { ACTION_REFUSED: Number(status) }),
      ...(logins[0] !== undefined && { LOGIN_FAILED: logins[0] }),
    },
  }
}

/** Finds the body that most errors share but for one text; the texts become `messages`. */
function shareBody(errors: JsonRecord): LearnedAnswers {
  const byForm = new Map<string, [kind: string, text: string][]>()
  for (const [kind, body] of Object.entries(errors)) {
    for (const [form, text] of formsOf(body)) {
      addToMultimap(byForm, JSON.stringify(form), [kind, text])
    }
  }
  const lengthOf = (texts: readonly [string, string][]): number => texts.flat().join('').length
  const [best] = [...byForm]
    .filter(([, texts]) => texts.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length || lengthOf(b) - lengthOf(a))
  if (!best) return { errors }
  const messages = Object.fromEntries(best[1])
  const others = Object.entries(errors).filter(
    ([kind, body]) => !Object.hasOwn(messages, kind) && JSON.stringify(body) !== best[0],
  )
  return {
    error: parseJson(best[0]),
    // An action has the text of its refusal, which that of the status would replace.
    messages: { ...messages, ...('ACTION_REFUSED' in errors && { ACTION_REFUSED: '$detail' }) },
    ...(others.length > 0 && { errors: Object.fromEntries(others) }),
  }
}

/** Returns the templates of a body in which `$detail` stands for one of its texts, with the text. */
function formsOf(body: Json): [form: Json, text: string][] {
  if (typeof body === 'string') return /^\$\w+$/.test(body) ? [] : [['$detail', body]]
  if (!isRecord(body)) return []
  return Object.entries(body).flatMap(([key, inner]) =>
    formsOf(inner).map(([form, text]): [Json, string] => [{ ...body, [key]: form }, text]),
  )
}

/** Returns the text of an error for people: the longest one with several words. */
export function detailOf(json: Json): string | undefined {
  if (typeof json === 'string') return /\S\s\S/.test(json) ? json : undefined
  const inner: Json[] = json === null || typeof json !== 'object' ? [] : Object.values(json)
  const [longest] = inner
    .flatMap((one) => detailOf(one) ?? [])
    .toSorted((a, b) => b.length - a.length)
  return longest
}

/** Creates the template of the body of an error, in which a variable stands for the text for people. */
export function toDetailTemplate(
  json: Json,
  exchange: ParsedExchange,
  collection: string | undefined,
  variable: '$detail' | '$fault',
): Json {
  // No text of a body has the mark, so that no other variable explains it.
  const mark = JSON.stringify('\u0000')
  const marked = JSON.stringify(json).replace(JSON.stringify(detailOf(json) ?? null), mark)
  const template = toErrorTemplate(parseJson(marked) ?? json, exchange, collection)
  return parseJson(JSON.stringify(template).replaceAll(mark, JSON.stringify(variable))) ?? json
}

/** Creates the template of the body of an error, or of a part of it. Below no record, no text is an id. */
export function toErrorTemplate(
  json: Json,
  exchange: ParsedExchange,
  collection: string | undefined,
  isList = false,
): Json {
  const values = valuesOf(errorVariables, toErrorFacts(exchange, collection))
  return toTemplateOf(json, isList ? values.filter(([name]) => name !== '$id') : values)
}

/** Returns the kind of an error: the code that the mock gives to a 404, otherwise the status. */
function kindOf({ status, query }: ParsedExchange, resourcePath: ResourcePath | undefined): string {
  if (status !== 404) return String(status)
  if (!resourcePath) return 'RESOURCE_UNKNOWN'
  const isPage = resourcePath.kind === 'collection' && numberOf(query, 'page') !== undefined
  return isPage ? 'PAGE_UNKNOWN' : 'NOT_FOUND'
}

/** Returns the facts of an error that a response shows; the texts of the mock's own error are unknown. */
function toErrorFacts(exchange: ParsedExchange, collection: string | undefined): ErrorFacts {
  const { segments, status } = exchange
  const named = segments.findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment))
  const resource = collection ?? named ?? ''
  return {
    ...toRequestFacts(exchange, resource),
    status,
    code: '',
    reason: '',
    detail: '',
    allowed: null,
    type: null,
    missing: resource,
    faults: [],
    faultBodies: [],
  }
}
