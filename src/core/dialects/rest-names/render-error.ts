import { fill, type Lookup, toLookup, toText } from '../../text/template.ts'
import { isRecord, ownValue, toJson } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { toFieldErrors } from '../../errors/field-errors.ts'
import { type Issue, MockError } from '../../errors/mock-error.ts'
import type { Answer, RenderContext } from '../contract/dialect.ts'
import { renderError as renderProblem } from '../rest/render.ts'
import { findRecords } from './envelope.ts'
import type { Rendering } from './render.ts'
import { type ErrorFacts, type Fault, toRequestFacts } from './facts.ts'
import type { Settings } from './settings.ts'
import { errorVariables, faultVariables, reasonVariables } from './variables.ts'

/** Renders an error by the templates `error`, `errors` and `invalid`, else as problem details (RFC 9457). */
export function renderError(
  error: MockError,
  context: RenderContext,
  { settings, toWire }: Rendering,
): Answer {
  const { error: plain, invalid = plain, errors: bodies = {}, statuses = {}, errorType } = settings
  const status =
    ownValue(statuses, error.code) ?? ownValue(statuses, String(error.status)) ?? error.status
  const faults = faultsOf(error, settings, toWire)
  const own = bodies[error.code] ?? bodies[String(error.status)]
  const template = faults.length > 0 ? invalid : own === undefined ? plain : own
  if (template === undefined) {
    const named = faults.length > 0 ? withFaults(error, faults) : error
    const answer = renderProblem(named)
    return { ...answer, status, ...(errorType !== undefined && { type: errorType }) }
  }
  const lookup = errorLookup(error, status, faults, context, settings)
  return {
    status,
    headers: error.headers,
    value: template === null ? undefined : fill(template, lookup),
    ...(errorType !== undefined && { type: errorType }),
  }
}

function errorLookup(
  error: MockError,
  status: number,
  faults: readonly Fault[],
  context: RenderContext,
  { messages = {}, codes = {}, fault: form = '$field $message', envelopes }: Settings,
): Lookup {
  const request = toRequestFacts(context)
  const { body } = context
  const sent = body === undefined ? undefined : findRecords(body, envelopes, request.resource)
  const faultBodies = faults.map((fault) => {
    const value = (isRecord(sent) ? valueAt(sent, fault.path) : undefined) ?? null
    return fill(form, toLookup(faultVariables, { ...request, fault, value }))
  })
  const facts: ErrorFacts = {
    ...request,
    status,
    code: ownValue(codes, error.code) ?? ownValue(codes, String(error.status)) ?? error.code,
    reason: error.message,
    detail: error.message,
    allowed: error.headers.find(([name]) => name === 'Allow')?.[1] ?? null,
    type: context.headers['content-type'] ?? null,
    missing: error.missing ?? request.resource,
    faults,
    faultBodies,
  }
  const message = ownValue(messages, error.code) ?? ownValue(messages, String(error.status))
  if (message === undefined) return toLookup(errorVariables, facts)
  const detail = toText(message, toLookup(errorVariables, facts))
  return toLookup(errorVariables, { ...facts, detail })
}

function withFaults(error: MockError, faults: readonly Fault[]): MockError {
  const { status, code, headers, extensions } = error
  const named = toFieldErrors(faults)
  const all = { ...extensions, ...named.extensions }
  const list = Object.entries(named.errors).map(([name, text]) => `${name} ${text}`.trim())
  const [start = ''] = /^Failed to write to "[^"]*": /.exec(error.message) ?? []
  const message = start === '' ? error.message : `${start}${list.join(', ')}.`
  return new MockError(message, {
    status,
    code,
    headers,
    errors: named.errors,
    extensions: all,
    cause: error,
  })
}

/** The faults of fields in a body, with their keys and messages. */
function faultsOf(error: MockError, settings: Settings, toWire: (key: string) => string): Fault[] {
  return issuesOf(error).map((issue) => {
    const path = issue.path.map((step) => toWire(String(step)))
    const { reasons, codes } = settings
    const message = wordingOf(path, issue, reasons) ?? issue.message
    return { path, message, code: wordingOf(path, issue, codes) ?? issue.keyword }
  })
}

/** The faults of an error; those that a handler has thrown are in `errors` alone, by dotted paths. */
function issuesOf({ code, issues, errors = {} }: MockError): readonly Issue[] {
  if (issues || parameterCodes.has(code)) return issues ?? []
  return Object.entries(errors).map(([name, text]) => ({ path: name.split('.'), message: text }))
}

/** The codes of errors whose `errors` name parameters, which are no fields. */
const parameterCodes = new Set([
  'PAGE_TOO_LARGE',
  'PARAMETER_UNKNOWN',
  'QUERY_INVALID',
  'RELATION_UNKNOWN',
])

/** The text of a fault in a table: of the first row with its keyword, its limit too, or its message. */
function wordingOf(
  path: readonly string[],
  issue: Issue,
  texts: Readonly<Record<string, string>> = {},
): string | undefined {
  const { keyword, message } = issue
  const limits = [issue.limit ?? []].flat()
  const limit = limits.map((one) => (typeof one === 'string' ? one : toJson(one))).join(', ')
  for (const [reason, template] of Object.entries(texts)) {
    const isKeyword = reason === keyword || reason === `${keyword}:${limit}`
    const wild = isKeyword ? '' : wildOf(message, reason)
    if (wild === undefined) continue
    const facts = { fault: { path }, reason: message, limit, wild }
    return toText(template, toLookup(reasonVariables, facts))
  }
  return undefined
}

/** Returns the text that the `*` of a pattern stands for; undefined if the pattern does not match. */
function wildOf(text: string, pattern: string): string | undefined {
  const [start = '', end] = pattern.split('*', 2)
  if (end === undefined) return text === start ? '' : undefined
  const isLong = text.length >= start.length + end.length
  if (!isLong || !text.startsWith(start) || !text.endsWith(end)) return undefined
  return text.slice(start.length, text.length - end.length)
}
