import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { detailOf } from '../configure/errors.ts'
import { mostFrequent } from '../configure/list-template.ts'
import { escapeTemplate, withVariables } from '../configure/text-template.ts'
import { toWriteTemplate } from '../configure/write-template.ts'
import { findWritten } from '../recognize/extract-records.ts'
import type { LearnedOption } from '../learned.ts'
import { isSuccess } from '../parse-exchange.ts'
import { timeFormOf } from './time-form.ts'
import type { WriteSample } from './write-samples.ts'

/** Proposes what the actions on records change, such as `POST /tasks/7/complete`; `timestamps` are those of each write. */
export function learnActions(
  name: string,
  all: readonly WriteSample[],
  timestamps: JsonRecord,
  isOwned = false,
): LearnedOption[] {
  const byAction = new Map<string, WriteSample[]>()
  for (const sample of all) {
    const { method, segments } = sample.exchange
    if (sample.kind !== 'action' || !sample.before) continue
    if (!sample.after && !sample.created && isSuccess(sample.exchange)) continue
    // An action whose response has a record that is not known is no change alone.
    const isOther = isSuccess(sample.exchange) && !sample.isShown && !sample.created
    if (isOther && findWritten(sample.exchange, sample.word)) continue
    addToMultimap(byAction, `${method} ${segments.at(-1) ?? ''}`, sample)
  }
  return [...byAction].flatMap(([key, calls]): LearnedOption[] => {
    const samples = calls.filter(({ exchange }) => isSuccess(exchange))
    const moved = samples.filter(({ before, after }) => !isSame(before ?? null, after ?? null))
    const isDenied = ({ exchange: { status } }: WriteSample): boolean =>
      status === 401 || status === 403
    const refused = calls.filter((one) => one.exchange.status >= 400 && !isDenied(one))
    const effects = toAction(moved, timestamps, refused.length > 0)
    const set = isRecord(effects['set']) ? Object.values(effects['set']) : []
    const isOnce =
      'increment' in effects &&
      (moved.length < samples.length || set.some((one) => typeof one === 'boolean'))
    const create = toNewRecord(samples, timestamps)
    if (Object.keys(effects).length === 0 && !create) return []
    const action = {
      ...effects,
      ...(isOnce && set.length > 0 && { once: true }),
      ...create,
      ...toCondition(effects, samples, refused),
      ...(isOwned && calls.some(isDenied) && { owner: true }),
    }
    const count = samples.length
    const evidence = `${count} ${count === 1 ? 'request shows' : 'requests show'} what changes`
    const path = ['resources', name, 'actions', key]
    const answer = toWriteTemplate(
      samples.map(({ exchange, created }) => {
        const segments = created
          ? created.collection.path.split('/')
          : exchange.segments.slice(0, -1)
        return { ...exchange, method: created ? 'POST' : 'PATCH', segments }
      }),
    )
    const status = samples[0]?.exchange.status ?? 200
    const usual = answer === null ? 204 : create ? 201 : 200
    const own = { answer: answer ?? null, ...(status !== usual && { status }) }
    return [
      { path, value: action, evidence },
      { path, value: { ...action, ...own }, evidence },
    ]
  })
}

/** Returns the effects of an action that explain the changes of all samples. */
function toAction(
  samples: readonly WriteSample[],
  timestamps: JsonRecord,
  isRefusable: boolean,
): JsonRecord {
  const { createdAt, updatedAt, as: form = 'iso' } = timestamps
  const fields = new Set(samples.flatMap(({ after = {} }) => Object.keys(after)))
  let action: JsonRecord = {}
  const set: Record<string, Json> = {}
  for (const field of fields) {
    const changes = samples.map(({ exchange, sent, before, after }): Change => {
      return {
        at: exchange.at,
        sent,
        before: before?.[field] ?? null,
        after: after?.[field] ?? null,
        isUnseen: !Object.hasOwn(before ?? {}, field),
      }
    })
    if (
      field === createdAt ||
      field === updatedAt ||
      changes.every(({ before, after }) => isSame(before, after))
    )
      continue
    const effect = effectOf(field, changes, isRefusable)
    const value = effect ? undefined : valueOf(changes, form)
    if (effect) action = { ...effect, ...action }
    else if (value !== undefined) set[field] = value
  }
  const isUntouched =
    typeof updatedAt === 'string' &&
    samples.every(({ before, after }) =>
      isSame(before?.[updatedAt] ?? 0, after?.[updatedAt] ?? null),
    )
  return {
    ...action,
    ...(Object.keys(set).length > 0 && { set }),
    ...(isUntouched &&
      (Object.keys(set).length > 0 || Object.keys(action).length > 0) && { touch: false }),
  }
}

/** Returns the values of a field that all records of accepted actions had, and no record of a refused one. */
function toCondition(
  { set }: JsonRecord,
  accepted: readonly WriteSample[],
  refused: readonly WriteSample[],
): JsonRecord {
  if (refused.length === 0) return {}
  for (const field of Object.keys(set ?? {})) {
    const valuesIn = (samples: readonly WriteSample[]): Json[] => [
      ...new Set(samples.map(({ before }) => before?.[field] ?? null)),
    ]
    const allowed = valuesIn(accepted)
    const others = valuesIn(refused)
    if ([...allowed, ...others].some((one) => one !== null && typeof one === 'object')) continue
    if (others.some((one) => allowed.includes(one))) continue
    const texts = refused.flatMap(({ exchange, before = {} }) => {
      const detail = detailOf(exchange.json ?? null)
      return detail === undefined ? [] : [toTextOf(detail, before)]
    })
    const [text] = mostFrequent(texts) ?? []
    return {
      when: { [field]: allowed.length === 1 ? (allowed[0] ?? null) : allowed },
      ...(text !== undefined && { refused: text }),
    }
  }
  return {}
}

/** Returns a text as a template, in which the texts of a record become variables. */
function toTextOf(text: string, record: JsonRecord): string {
  const values = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length > 1 && isWord(name)
      ? [[`$record.${name}`, value]]
      : [],
  )
  const longest = values.toSorted(([, a], [, b]) => b.length - a.length)
  return withVariables(text, longest)
}

/** Whether a variable can name a field. */
function isWord(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name)
}

/** Returns what the new records of an action are made of; fields that nothing explains are left to their collection. */
function toNewRecord(
  samples: readonly WriteSample[],
  { as = 'iso' }: JsonRecord,
): JsonRecord | undefined {
  const made = samples.flatMap(({ created, ...sample }) =>
    created ? [{ ...sample, created }] : [],
  )
  const [first] = made
  if (!first || made.length < samples.length) return undefined
  const { name, collection } = first.created
  const fields = Object.keys(first.created.record).flatMap((field): [string, Json][] => {
    if (field === collection.idField.name) return []
    const values = made.map(({ created }) => created.record[field] ?? null)
    const [value = null] = values
    const isAll = (of: (sample: (typeof made)[number]) => Json): boolean =>
      made.every((sample, at) => isSame(of(sample), values[at] ?? null))
    const find = (record: JsonRecord, read: (sample: (typeof made)[number]) => JsonRecord) =>
      [field, ...Object.keys(record)].find(
        (key) =>
          isWord(key) && Object.hasOwn(record, key) && isAll((one) => read(one)[key] ?? null),
      )
    const isPlain = value === null || typeof value === 'boolean' || value === 0 || value === ''
    const sent = isPlain ? undefined : find(first.sent, (one) => one.sent)
    if (sent !== undefined) return [[field, `$body.${sent}`]]
    if (isAll(({ id }) => (typeof value === 'number' ? Number(id) : (id ?? null))))
      return [[field, '$id']]
    const copied = isPlain ? undefined : find(first.before ?? {}, (one) => one.before ?? {})
    if (copied !== undefined) return [[field, `$record.${copied}`]]
    const forms = new Set(
      made.map(({ exchange }, at) => timeFormOf(values[at] ?? null, exchange.at)),
    )
    const [form] = forms
    const time = form === as ? '$now' : form === 'date' ? '$today' : undefined
    if (time !== undefined && forms.size === 1) return [[field, time]]
    const isConstant =
      isAll(() => value) && (made.length > 1 || isPlain || !/\d/.test(JSON.stringify(value)))
    return isConstant ? [[field, typeof value === 'string' ? escapeTemplate(value) : value]] : []
  })
  return { create: { in: name, fields: Object.fromEntries(fields) } }
}

/** The value of a field before an action and after it. */
interface Change {
  at: number
  sent: JsonRecord
  before: Json
  after: Json
  /** Whether no response before the action has the field, such as one that lists lack. */
  isUnseen: boolean
}

/** A number that grows, a flag that is inverted, or a list that gets or loses a value. */
function effectOf(
  field: string,
  changes: readonly Change[],
  isRefusable: boolean,
): JsonRecord | undefined {
  const [first] = changes
  if (!first) return undefined
  const by = changes.map(({ before, after }) => Number(after) - Number(before))
  const areNumbers = changes.every(
    ({ before, after }) => typeof before === 'number' && typeof after === 'number',
  )
  const isSteady = by.every((one) => one === by[0])
  // A state that some records are refused, such as that of a completed order, is set.
  const isCounted = !isRefusable || new Set(changes.map(({ before }) => before)).size > 1
  if (areNumbers && isSteady && isCounted && (changes.length > 1 || Math.abs(by[0] ?? 0) === 1)) {
    return { increment: field, ...(by[0] !== 1 && { by: by[0] ?? 1 }) }
  }
  const isInverted = changes.every(({ before, after }) => before === !after)
  if (isInverted && changes.some(({ after }) => after !== first.after)) return { toggle: field }
  const added = changes.map(({ before, after }) => onlyNew(after, before))
  const removed = changes.map(({ before, after }) => onlyNew(before, after))
  const isOne = (values: readonly (Json | undefined)[]): boolean =>
    values[0] !== undefined &&
    values.every((one) => one !== undefined && isSame(one, values[0] ?? null))
  if (isOne(added)) return { add: field, value: added[0] ?? null }
  return isOne(removed) ? { remove: field, value: removed[0] ?? null } : undefined
}

/** Returns the only value that a list has and another list lacks. */
function onlyNew(list: Json, others: Json): Json | undefined {
  if (!Array.isArray(list) || !Array.isArray(others)) return undefined
  const fresh = list.filter((one) => !others.some((other) => isSame(one, other)))
  return fresh.length === 1 ? fresh[0] : undefined
}

/** Returns the value that all changes set: a constant, a field of the request, or the time. */
function valueOf(changes: readonly Change[], form: Json): Json | undefined {
  const [first] = changes
  if (!first) return undefined
  const name = Object.keys(first.sent).find((key) =>
    changes.every(({ sent, after }) => isSame(sent[key] ?? null, after)),
  )
  if (name !== undefined && isWord(name)) return `$body.${name}`
  const [time, ...others] = new Set(changes.map(({ at, after }) => timeFormOf(after, at)))
  if (time !== undefined && others.length === 0 && (time === form || time === 'date')) {
    return time === form ? '$now' : '$today'
  }
  const isConstant = changes.every(({ after }) => isSame(after, first.after))
  const { after, isUnseen } = first
  if (!isConstant || (isUnseen && changes.length === 1 && typeof after !== 'boolean'))
    return undefined
  return typeof after === 'string' ? escapeTemplate(after) : after
}
