import { phraseOf } from '../../errors/status.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { escapeTemplate, toLiteral } from './text-template.ts'

/**
 * Learns the options of `rest` that render an error of invalid fields (usually 422), from the latest such
 * error.
 */
export function learnInvalid(exchanges: readonly ParsedExchange[]): Record<string, Json> {
  for (const { status, json } of exchanges.toReversed()) {
    const faults = findFaults(json, status)
    if (!faults?.variable || !isRecord(json)) continue
    const { key, variable, fault, texts } = faults
    const members = Object.entries(json).map(([name, value]): [string, Json] => [
      escapeTemplate(name),
      name === key ? variable : toMember(value, status, texts),
    ])
    return {
      invalid: key === undefined ? variable : Object.fromEntries(members),
      ...(fault && { fault }),
      ...(status !== 422 && { statuses: { 422: status } }),
    }
  }
  return {}
}

/** Finds the messages about invalid fields in the body of an error; undefined for an error of another kind. */
export function findFaults(body: Json | undefined, status: number): Faults | undefined {
  if (!isRecord(body) || ![400, 409, 422].includes(status)) return undefined
  const lists = toTexts(body, true)
  if (lists) return { key: undefined, variable: '$errorTree', texts: lists }
  for (const [key, value] of Object.entries(body)) {
    const isNamed = /error|field|violation|detail|invalid|message|issue/i.test(key)
    if (!isNamed || !isObject(value)) continue
    if (Array.isArray(value)) return { key, ...inList(value) }
    const [many, single] = [toTexts(value, true), toTexts(value, false)]
    if (many) return { key, variable: '$errorLists', texts: many }
    if (single && !isDetail(value)) return { key, variable: '$errors', texts: single }
  }
  return undefined
}

/** The messages about invalid fields in the body of an error. */
interface Faults {
  /** The key that holds the messages; undefined if the body itself is the object of the messages. */
  key: string | undefined
  /** The variable that renders messages in this form; undefined for a form that no variable has. */
  variable: string | undefined
  /** The template of each fault in a list of objects. */
  fault?: JsonRecord
  texts: readonly string[]
}

function isObject(value: Json): value is JsonRecord | Json[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Whether an object is the error itself: `{ error: { code, message } }`. */
function isDetail(value: JsonRecord): boolean {
  return ['message', 'code', 'detail', 'status', 'type'].some((name) => Object.hasOwn(value, name))
}

/** Returns the texts of an object that has a text, or a list of texts, for each field. */
function toTexts(value: JsonRecord, isListed: boolean): string[] | undefined {
  const values = Object.values(value)
  const isOne = (one: Json): boolean =>
    isListed ? Array.isArray(one) && one.length > 0 && one.every(isText) : isText(one)
  return values.length > 0 && values.every(isOne) ? (values.flat() as string[]) : undefined
}

/** Finds the faults in a list of texts or of objects. */
function inList(values: readonly Json[]): Omit<Faults, 'key'> {
  if (values.every(isText)) return { variable: '$faults', texts: values }
  const [first] = values
  const none = { variable: undefined, texts: [] }
  if (!values.every(isRecord) || !isRecord(first)) return none
  const keys = Object.keys(first)
  const field = keys.find((key) =>
    /^(?:field|path|param|property|pointer|name|key|attribute)$/i.test(key),
  )
  const message = keys.find((key) =>
    /^(?:message|detail|msg|description|reason|defaultMessage)$/i.test(key),
  )
  if (!field || !message || !isText(first[field]) || !isText(first[message])) return none
  const constants = keys.filter((key) =>
    values.every((one) => isRecord(one) && one[key] === first[key]),
  )
  const fault = keys.flatMap((key): [string, Json][] => {
    if (key === field) return [[escapeTemplate(key), '$field']]
    if (key === message) return [[escapeTemplate(key), '$message']]
    if (/value$/i.test(key)) return [[escapeTemplate(key), '$value']]
    return constants.includes(key)
      ? [[escapeTemplate(key), toMember(first[key] ?? null, 0, [])]]
      : []
  })
  return {
    variable: '$faults',
    fault: Object.fromEntries(fault),
    texts: values.flatMap((one) => (isRecord(one) && isText(one[message]) ? [one[message]] : [])),
  }
}

/** Creates the template of a member beside the faults. */
function toMember(value: Json, status: number, texts: readonly string[]): Json {
  if (value === status) return '$status'
  if (typeof value !== 'string') return toLiteral(value)
  if (value === phraseOf(status)) return '$title'
  // `The title field is required. (and 1 more error)`
  const isSummary = texts.some((text) => value === text || value.startsWith(`${text} (`))
  return isSummary ? '$summary' : escapeTemplate(value)
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}
