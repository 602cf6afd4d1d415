import type { LearnedAnswers } from '../configure/dialects.ts'
import { detailOf, toDetailTemplate, toErrorTemplate } from '../configure/errors.ts'
import { mostFrequent } from '../configure/list-template.ts'
import { escapeTemplate, toLiteral, withVariables } from '../configure/text-template.ts'
import { isRecord, isSame, type Json, type JsonRecord, parseJson } from '../../json/json.ts'
import { isSuccess } from '../parse-exchange.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { ruleOf } from './learn-rules.ts'
import type { WriteSample } from './write-samples.ts'

/** Learns the body of a refused write that names its invalid fields, its status, and the texts of faults. */
export function learnInvalid(
  samples: readonly WriteSample[],
  recordsOf: (name: string) => readonly JsonRecord[],
): LearnedAnswers {
  const refused = samples.flatMap((sample) => toRefusal(sample) ?? [])
  const template = mostFrequent(refused.map(({ template: body }) => JSON.stringify(body)))?.[0]
  if (template === undefined) return {}
  const forms = refused.flatMap(({ form }) => (form === undefined ? [] : [JSON.stringify(form)]))
  const fault = mostFrequent(forms)?.[0]
  const reasons = toReasons(toFaults(samples, recordsOf))
  const status = mostFrequent(refused.map(({ sample }) => String(sample.exchange.status)))?.[0]
  return {
    invalid: parseJson(template),
    ...(fault !== undefined && { fault: parseJson(fault) }),
    ...(Object.keys(reasons).length > 0 && { reasons }),
    ...(status === '400' && { statuses: { 422: 400 } }),
  }
}

/** Returns the text of each reason; a keyword whose texts differ has one for each of its values. */
function toReasons(faults: readonly ExplainedFault[]): JsonRecord {
  const texts = new Map<string, [key: string, text: string][]>()
  for (const { field, message, rule: [keyword, limit] = [] } of faults) {
    if (keyword === undefined) continue
    const isNamed = typeof limit === 'number' || Array.isArray(limit)
    const word = isNamed ? [limit].flat().map(scalarText).join(', ') : ''
    const words = [['$field', field], ...(word === '' ? [] : [['$limit', word] as const])] as const
    const key = word === '' ? keyword : `${keyword}:${word}`
    addToMultimap(texts, keyword, [key, withVariables(message, words)])
  }
  const reasons: JsonRecord = {}
  for (const [keyword, all] of texts) {
    const usual = mostFrequent(all.map(([, text]) => text))?.[0] ?? ''
    for (const [key, text] of all) if (text !== usual) reasons[key] = text
    reasons[keyword] = usual
  }
  const isLimited = Object.keys(reasons).some((key) => key !== 'required' && key !== 'is taken')
  const { required } = reasons
  return isLimited && required !== undefined ? { ...reasons, 'minLength:1': required } : reasons
}

/** Learns a schema from the values that writes are refused for, with the fields that each record needs. */
export function learnSchema(
  samples: readonly WriteSample[],
  records: readonly JsonRecord[],
): JsonRecord | undefined {
  const properties: Record<string, JsonRecord> = {}
  for (const { field, rule: [keyword, limit] = [] } of toFaults(samples, () => records)) {
    if (keyword !== undefined && limit !== undefined)
      properties[field] = { ...properties[field], [keyword]: limit }
  }
  if (Object.keys(properties).length === 0) return undefined
  const { required = [], onEmpty } = learnRequired(samples)
  const names = [required].flat().map(String)
  // A recording can lack fields of a record, without which a change of it would be refused.
  const isWhole = records.every((one) => names.every((field) => !isMissing(one[field])))
  if (names.length === 0 || !isWhole) return { properties }
  for (const field of onEmpty === undefined ? [] : names) {
    properties[field] = { minLength: 1, ...properties[field] }
  }
  return { required, properties }
}

/** A fault of a refused write, with the keyword that explains it, and the value of the keyword. */
interface ExplainedFault extends Fault {
  rule?: readonly [keyword: string, limit?: Json] | undefined
}

/** Finds the faults of refused writes; `required` and `is taken` have no value. */
function toFaults(
  samples: readonly WriteSample[],
  recordsOf: (name: string) => readonly JsonRecord[],
): ExplainedFault[] {
  const accepted = samples.filter(({ exchange }) => isSuccess(exchange))
  return samples.flatMap((sample) =>
    (toRefusal(sample)?.faults ?? []).map((fault): ExplainedFault => {
      const { field, message } = fault
      const value = sample.sent[field] ?? null
      if (isMissing(value)) return { ...fault, rule: ['required'] }
      if (takenWords.test(message)) return { ...fault, rule: ['is taken'] }
      const sent = accepted.filter((one) => one.name === sample.name).map((one) => one.sent)
      const values = [...recordsOf(sample.name), ...sent].flatMap((one) => one[field] ?? [])
      return { ...fault, rule: ruleOf(value, message, values) }
    }),
  )
}

/** Finds the fields without which a write is refused, and whether an empty text is refused too. */
export function learnRequired(samples: readonly WriteSample[]): JsonRecord {
  const accepted = samples.filter(({ kind, exchange }) => kind === 'create' && isSuccess(exchange))
  const given = samples.flatMap((sample) =>
    (toRefusal(sample)?.faults ?? []).map(({ field }) => ({ field, value: sample.sent[field] })),
  )
  const required = new Set(given.filter(({ value }) => isMissing(value)).map(({ field }) => field))
  for (const { sent } of accepted) {
    for (const field of required) if (sent[field] === undefined) required.delete(field)
  }
  if (required.size === 0) return {}
  const isEmptyRefused = given.some(({ field, value }) => value === '' && required.has(field))
  return { required: [...required], ...(isEmptyRefused && { onEmpty: 'refuse' }) }
}

/** Finds the fields that a write is refused for because another record has the value, with the status. */
export function learnUnique(
  samples: readonly WriteSample[],
  records: readonly JsonRecord[],
): JsonRecord {
  const refused = samples.filter(({ exchange: { status } }) => [400, 409, 422].includes(status))
  return Object.fromEntries(
    refused.flatMap(({ sent, exchange: { status, json }, kind, id }): [string, Json][] => {
      const text = JSON.stringify(json ?? null)
      const taken = Object.entries(sent).filter(
        ([field, value]) =>
          typeof value === 'string' &&
          value !== '' &&
          (text.toLowerCase().includes(field.toLowerCase()) || text.includes(value)) &&
          records.some((one) => isSame(one[field] ?? null, value) && scalarText(one['id']) !== id),
      )
      const [first, other] = taken
      return first && other === undefined && kind !== 'action' ? [[first[0], status]] : []
    }),
  )
}

/** The words of a refusal because another record has the value. */
export const takenWords: RegExp = /taken|exists|already|unique|duplicate/i

/** A refused write whose response names the fields. */
interface Refusal {
  sample: WriteSample
  faults: readonly Fault[]
  /** The body, in which a variable stands for the faults. */
  template: Json
  /** Each fault in a list of faults. */
  form?: Json | undefined
}

interface Fault {
  field: string
  message: string
}

function toRefusal(sample: WriteSample): Refusal | undefined {
  const { exchange, sent, fields } = sample
  const { status, json } = exchange
  const isRefused = status === 400 || status === 409 || status === 422
  if (!isRefused || sample.kind === 'action' || !isRecord(json)) return undefined
  let found: Omit<Refusal, 'sample' | 'template'> | undefined
  const template = replaceFaults(json)
  return found ? { sample, template, ...found } : toNamedFault(sample, json)

  /** Copies the body with a variable in place of the faults. */
  function replaceFaults(value: Json): Json {
    const faults = found ? undefined : faultsIn(value, fields, sent)
    if (faults) {
      const { variable, ...rest } = faults
      found = rest
      return variable
    }
    if (Array.isArray(value)) return value.map(replaceFaults)
    if (!isRecord(value)) return toErrorTemplate(value, exchange, sample.word)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [escapeTemplate(key), replaceFaults(inner)]),
    )
  }
}

/** Reads a fault from the only text of an error, if it begins with the name of a field: `{ error: 'title is required' }`. */
function toNamedFault(sample: WriteSample, json: JsonRecord): Refusal | undefined {
  const { exchange, fields, sent, word } = sample
  const message = detailOf(json) ?? ''
  const [, field = ''] = /^"?(\w+)/.exec(message) ?? []
  if (exchange.status === 409 || !(fields.has(field) || Object.hasOwn(sent, field)))
    return undefined
  const template = toDetailTemplate(json, exchange, word, '$fault')
  return { sample, template, faults: [{ field, message }] }
}

/** Reads faults by field, `{ title: ['is empty'] }`, or in a list, `[{ field: 'title', message: 'is empty' }]`. */
function faultsIn(
  value: Json,
  fields: ReadonlySet<string>,
  sent: JsonRecord,
): { variable: string; faults: Fault[]; form?: Json } | undefined {
  if (isRecord(value)) {
    const members = Object.entries(value)
    const isText = members.every(([, text]) => typeof text === 'string')
    const faults = members.flatMap(([field, texts]) =>
      [texts].flat().map((message) => ({ field, message })),
    )
    const areFaults = faults.every(
      (fault): fault is Fault => typeof fault.message === 'string' && isField(fault.field),
    )
    const variable = isText ? '$errors' : '$errorLists'
    return faults.length > 0 && areFaults ? { variable, faults } : undefined
  }
  const [first] = Array.isArray(value) ? value : []
  if (!Array.isArray(value) || !isRecord(first)) return undefined
  const rows = value.filter((one) => isRecord(one))
  const keys = Object.keys(first)
  const at = keys.find((key) => rows.every((row) => isField(row[key])))
  const text = keys
    .filter((key) => key !== at && rows.every((row) => typeof row[key] === 'string'))
    .toSorted((a, b) => scalarText(first[b]).length - scalarText(first[a]).length)[0]
  if (at === undefined || text === undefined || rows.length < value.length) return undefined
  const form = Object.fromEntries(
    keys.flatMap((key): [string, Json][] => {
      if (key === at) return [[key, '$field']]
      if (key === text) return [[key, '$message']]
      const isValue = rows.every((row) =>
        isSame(row[key] ?? null, sent[scalarText(row[at])] ?? null),
      )
      if (isValue) return [[key, '$value']]
      const isConstant = rows.every((row) => isSame(row[key] ?? null, first[key] ?? null))
      return isConstant ? [[key, toLiteral(first[key] ?? null)]] : []
    }),
  )
  const faults = rows.map((row) => ({
    field: scalarText(row[at]),
    message: scalarText(row[text]),
  }))
  return { variable: '$faults', faults, form }

  function isField(name: Json | undefined): boolean {
    return typeof name === 'string' && fields.has(name)
  }
}

function isMissing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === ''
}
