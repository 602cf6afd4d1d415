/** A part of Hurl (https://hurl.dev): requests with JSON bodies, captures and asserts, as suites of JSON APIs use it. */
import { isDeepStrictEqual } from 'node:util'

/** A request of a Hurl file, and what its response has to be. Templates such as `{{uid}}` are not yet filled. */
export interface HurlEntry {
  /** The line of the request, from 1. */
  line: number
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string
  /** The expected status; undefined for `HTTP *` and without such a line. */
  status: number | undefined
  captures: { name: string; query: Query }[]
  asserts: Assert[]
}

/** A request with filled templates. */
export interface HurlRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/** A response. Header names are lower case. */
export interface HurlResponse {
  status: number
  headers: Record<string, string>
  text: string
}

/** The number of expected statuses and asserts, and a sentence for each that does not hold. */
export interface HurlReport {
  checks: number
  failures: string[]
}

/** What an assert or a capture looks at: `jsonpath "$.tags" count`. */
interface Query {
  kind: QueryKind
  argument: string
  isCounted: boolean
}

interface Assert {
  line: number
  text: string
  query: Query
  isNegated: boolean
  predicate: string
  /** The operand as the file has it. */
  operand: string
}

type QueryKind = 'jsonpath' | 'header' | 'status' | 'body'

/** A predicate; `operand` is undefined for a predicate without one. */
type Predicate = (value: unknown, operand: unknown) => boolean

const predicates: Readonly<Record<string, Predicate>> = {
  '==': (value, operand) => isDeepStrictEqual(value, operand),
  '!=': (value, operand) => !isDeepStrictEqual(value, operand),
  '>': (value, operand) => isOrdered(value, operand, (one, other) => one > other),
  '>=': (value, operand) => isOrdered(value, operand, (one, other) => one >= other),
  '<': (value, operand) => isOrdered(value, operand, (one, other) => one < other),
  '<=': (value, operand) => isOrdered(value, operand, (one, other) => one <= other),
  contains: (value, operand) =>
    Array.isArray(value)
      ? value.some((one) => isDeepStrictEqual(one, operand))
      : typeof value === 'string' && typeof operand === 'string' && value.includes(operand),
  startsWith: (value, operand) =>
    typeof value === 'string' && typeof operand === 'string' && value.startsWith(operand),
  endsWith: (value, operand) =>
    typeof value === 'string' && typeof operand === 'string' && value.endsWith(operand),
  matches: (value, operand) =>
    typeof value === 'string' && typeof operand === 'string' && new RegExp(operand).test(value),
  exists: (value) => value !== undefined,
  isString: (value) => typeof value === 'string',
  isBoolean: (value) => typeof value === 'boolean',
  isInteger: (value) => Number.isInteger(value),
  isFloat: (value) => typeof value === 'number' && !Number.isInteger(value),
  isNumber: (value) => typeof value === 'number',
  isList: (value) => Array.isArray(value),
  isCollection: (value) => typeof value === 'object' && value !== null,
  isObject: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  isEmpty: (value) =>
    typeof value === 'string' || Array.isArray(value)
      ? value.length === 0
      : typeof value === 'object' && value !== null && Object.keys(value).length === 0,
  isIsoDate: (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value),
}

/** The predicates that have an operand behind them. */
const withOperand = /^(?:[=!<>]|contains|startsWith|endsWith|matches)/

/**
 * Parses a Hurl file.
 * @throws Error that names the line which this part of Hurl does not have
 */
export function parseHurl(text: string): HurlEntry[] {
  const entries: HurlEntry[] = []
  let entry: HurlEntry | undefined
  let part = 'none'
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const isBody = part === 'body'
    if (!isBody && /^\s*(?:#|$)/.test(raw)) continue
    const [, method = '', url = ''] = /^([A-Z]+) (\S+)$/.exec(raw) ?? []
    const [, version, status = ''] = /^(HTTP\S*) (\d{3}|\*)$/.exec(raw) ?? []
    const [, section] = /^\[(Captures|Asserts)\]$/.exec(raw) ?? []
    if (entry && version !== undefined) {
      entry.status = status === '*' ? undefined : Number(status)
      part = 'response'
    } else if (!isBody && method !== '') {
      entry = {
        line,
        method,
        url,
        headers: [],
        body: '',
        status: undefined,
        captures: [],
        asserts: [],
      }
      entries.push(entry)
      part = 'request'
    } else if (entry && section !== undefined && !isBody) part = section
    else if (entry && (isBody || (part === 'request' && /^[[{]/.test(raw)))) {
      entry.body += `${raw}\n`
      part = 'body'
    } else if (entry && part === 'request') entry.headers.push(parsePair(raw, line))
    else if (entry && part === 'Captures') {
      const [name, query] = parsePair(raw, line)
      entry.captures.push({ name, query: parseQuery(query, line).query })
    } else if (entry && part === 'Asserts') entry.asserts.push(parseAssert(raw, line))
    else throw unreadable(raw, line)
  }
  return entries
}

/** Runs the requests of a Hurl file in sequence. Captured values are added to a copy of the variables. */
export async function runHurl(
  entries: readonly HurlEntry[],
  given: Readonly<Record<string, unknown>>,
  send: (request: HurlRequest) => Promise<HurlResponse>,
): Promise<HurlReport> {
  const variables = { ...given }
  const report: HurlReport = { checks: 0, failures: [] }
  const check = (isHeld: boolean, line: number, text: string, actual: unknown): void => {
    report.checks++
    if (!isHeld) report.failures.push(`line ${line}: ${text}, but it is ${toText(actual)}`)
  }
  for (const { line, method, url, headers, body, status, captures, asserts } of entries) {
    const response = await send({
      method,
      url: fillIn(url, variables),
      headers: {
        ...(body !== '' && { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers.map(([name, value]) => [name, fillIn(value, variables)])),
      },
      body: body === '' ? undefined : fillIn(body.trim(), variables),
    })
    if (status !== undefined) {
      const text = `${method} ${url} HTTP ${status}`
      check(response.status === status, line, text, `${response.status} ${response.text}`)
    }
    for (const { name, query } of captures) variables[name] = valueOf(query, response, variables)
    for (const { line, text, query, isNegated, predicate, operand } of asserts) {
      const value = valueOf(query, response, variables)
      const isKnown = value !== undefined || predicate === 'exists'
      const isHeld = predicates[predicate]?.(value, toOperand(operand, variables)) ?? false
      check(isKnown && isHeld !== isNegated, line, text, value)
    }
  }
  return report
}

function parsePair(raw: string, line: number): [name: string, value: string] {
  const [, name, value] = /^([\w-]+):\s*(.*?)\s*$/.exec(raw) ?? []
  if (name === undefined || value === undefined) throw unreadable(raw, line)
  return [name, value]
}

/** Parses a query with its filter, and returns the text behind them. */
function parseQuery(text: string, line: number): { query: Query; rest: string } {
  const pattern =
    /^(?:(?<named>jsonpath|header) (?<quoted>"(?:[^"\\]|\\.)*")|(?<plain>status|body))(?<count> count)?(?: (?<rest>.*))?$/
  const groups = pattern.exec(text)?.groups
  const kind = groups?.['named'] ?? groups?.['plain']
  if (!groups || kind === undefined) throw unreadable(text, line)
  const argument = groups['quoted'] === undefined ? '' : (JSON.parse(groups['quoted']) as string)
  const query = { kind: kind as QueryKind, argument, isCounted: groups['count'] !== undefined }
  return { query, rest: groups['rest'] ?? '' }
}

function parseAssert(text: string, line: number): Assert {
  const { query, rest } = parseQuery(text, line)
  const [, not, predicate = '', operand = ''] = /^(not )?(\S+)(?: (.+?))?\s*$/.exec(rest) ?? []
  const isKnown = Object.hasOwn(predicates, predicate)
  if (!isKnown || withOperand.test(predicate) !== (operand !== '')) throw unreadable(text, line)
  return { line, text, query, isNegated: not !== undefined, predicate, operand }
}

function unreadable(text: string, line: number): Error {
  return new Error(`Failed to read line ${line}: this part of Hurl has no "${text}".`)
}

function valueOf(
  { kind, argument, isCounted }: Query,
  { status, headers, text }: HurlResponse,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const name = fillIn(argument, variables)
  const values: Readonly<Record<QueryKind, () => unknown>> = {
    jsonpath: () => valueAt(text, name),
    header: () => headers[name.toLowerCase()],
    status: () => status,
    body: () => text,
  }
  const value = values[kind]()
  if (!isCounted) return value
  return Array.isArray(value) ? value.length : undefined
}

/** Returns the value at a path of names and indexes; undefined without one, or if the text is not JSON. */
function valueAt(text: string, path: string): unknown {
  if (!/^\$(?:\.\w+|\[\d+\])*$/.test(path)) throw new Error(`Failed to read the path "${path}".`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const [step] of path.matchAll(/\w+/g)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Returns the value of an operand: JSON, or a variable with the type that it was captured with. */
function toOperand(text: string, variables: Readonly<Record<string, unknown>>): unknown {
  const [, name] = /^\{\{(\w+)\}\}$/.exec(text) ?? []
  if (name !== undefined) return variableOf(name, variables)
  return text === '' ? undefined : (JSON.parse(fillIn(text, variables)) as unknown)
}

function fillIn(text: string, variables: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => toText(variableOf(name, variables)))
}

function variableOf(name: string, variables: Readonly<Record<string, unknown>>): unknown {
  if (variables[name] === undefined) throw new Error(`Failed to fill in "${name}": it is not set.`)
  return variables[name]
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
}

function isOrdered(
  value: unknown,
  operand: unknown,
  compare: (value: number, operand: number) => boolean,
): boolean {
  return typeof value === 'number' && typeof operand === 'number' && compare(value, operand)
}
