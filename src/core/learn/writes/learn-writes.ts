import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { countOf, formatCount } from '../../text/count.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { LearnedAnswers } from '../configure/dialects.ts'
import type { LearnedOption, LearnedResource } from '../learned.ts'
import { isSuccess } from '../parse-exchange.ts'
import { isId } from '../recognize/ids.ts'
import { timeFormOf } from './time-form.ts'
import type { Owner } from './learn-owners.ts'
import { learnActions } from './learn-actions.ts'
import { learnRequired, learnSchema, learnUnique } from './learn-refusals.ts'
import type { WriteSample } from './write-samples.ts'

/** Proposes the options by which writes do the same as those of the API; a replay of the writes decides. */
export function learnWrites(
  samples: readonly WriteSample[],
  resources: readonly LearnedResource[],
  owners: readonly Owner[] = [],
): LearnedOption[] {
  const byName = new Map<string, WriteSample[]>()
  /** The records that actions of other records have created, by name. */
  const made = new Map<string, JsonRecord[]>()
  for (const sample of samples) {
    addToMultimap(byName, sample.name, sample)
    const { name, record } = sample.created ?? {}
    if (name === undefined || !record) continue
    addToMultimap(made, name, record)
    if (!byName.has(name)) byName.set(name, [])
  }
  return [...byName].flatMap(([name, own]) => {
    const all = own.filter(({ exchange }) => isSuccess(exchange))
    const { value, idField = 'id' } = resources.find((one) => one.name === name) ?? {}
    const records = [value ?? null].flat().filter(isJsonRecord)
    const timestamps = toTimestamps(all)
    const owner = owners.find((one) => one.name === name)?.key
    return [
      ...toSchema(name, own, records),
      ...toFields(
        name,
        all,
        records,
        timestamps,
        own,
        toCounters(all, made.get(name) ?? [], records, idField),
        owner,
      ),
      ...toUnique(name, own, records),
      ...toSlug(name, all),
      ...learnActions(name, own, timestamps ?? {}, owner !== undefined),
    ]
  })
}

/** Learns whether a PUT keeps the fields that the request lacks. */
export function learnPut(samples: readonly WriteSample[]): Pick<LearnedAnswers, 'put'> {
  const votes = samples.flatMap(({ kind, sent, before = {}, after, isShown }) => {
    const missing = Object.keys(before).filter((field) => !Object.hasOwn(sent, field))
    const known =
      kind === 'replace' && isShown ? missing.filter((field) => field in (after ?? {})) : []
    const kept = known.filter((field) => isSame(before[field] ?? null, after?.[field] ?? null))
    return kind === 'replace' && isShown && missing.length > 1
      ? [kept.length * 2 > missing.length]
      : []
  })
  return votes.filter(Boolean).length * 2 > votes.length ? { put: 'merge' } : {}
}

/** Learns the fields that the API adds to new records, and the times of writes. */
function toFields(
  name: string,
  all: readonly WriteSample[],
  records: readonly JsonRecord[],
  timestamps: JsonRecord | undefined,
  own: readonly WriteSample[],
  counters: JsonRecord,
  owner: string | undefined,
): LearnedOption[] {
  const creates = all.filter(({ kind, isShown }) => kind === 'create' && isShown)
  const version = findVersion(all)
  const set = new Set([...Object.values(timestamps ?? {}), creates[0]?.idField, version, owner])
  const names = new Set(creates.flatMap(({ after = {} }) => Object.keys(after)))
  const defaults = Object.fromEntries(
    [...names].flatMap((field): [string, Json][] => {
      if (set.has(field)) return []
      const added = creates.filter(({ sent }) => !Object.hasOwn(sent, field))
      const [value, ...others] = added.map(({ after = {} }) => after[field])
      if (
        value === undefined ||
        added.some((sample) => namesId(value, sample) || embedsSent(value, sample))
      )
        return []
      if (others.some((other) => !isSame(other ?? null, value))) return []
      const isSeen =
        others.length > 0 || records.filter((one) => isSame(one[field] ?? null, value)).length > 1
      return isSeen || isNeutral(value) ? [[field, value]] : []
    }),
  )
  const isUsual = isSame(timestamps ?? null, { createdAt: 'createdAt', updatedAt: 'updatedAt' })
  const value: JsonRecord = {
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(timestamps && { timestamps: isUsual ? true : timestamps }),
    ...(version !== undefined && { version }),
  }
  const count = all.filter(({ kind }) => kind === 'create').length
  const evidence = `the API adds these fields in ${count > 0 ? `${count} of its responses to POST` : 'its responses to writes'}`
  const required = learnRequired(own)
  const counted = Object.keys(counters).length > 0 ? { counters } : {}
  const path = ['resources', name, 'fields']
  const numbers = 'new records count on from the last'
  const refusals = 'the API refuses writes without them'
  const proposals: LearnedOption[] = [
    { path, value, evidence },
    { path, value: { ...value, ...counted }, evidence: count > 0 ? evidence : numbers },
    { path, value: { ...value, ...required }, evidence: refusals },
    { path, value: { ...value, ...counted, ...required }, evidence: refusals },
  ]
  return proposals.filter(
    (one, at) =>
      Object.keys(one.value ?? {}).length > 0 &&
      proposals.findIndex((other) => isSame(other.value, one.value)) === at,
  )
}

/** Finds the fields that number new records, with the greatest number of all records, also of removed ones. */
function toCounters(
  all: readonly WriteSample[],
  made: readonly JsonRecord[],
  records: readonly JsonRecord[],
  idField: string,
): JsonRecord {
  const creates = all.filter(({ kind, isShown }) => kind === 'create' && isShown)
  const added = [
    ...creates.map(({ sent, after = {} }) => ({ sent, after })),
    ...made.map((after) => ({ sent: {} as JsonRecord, after })),
  ]
  const ids = new Set(added.map(({ after }) => after[idField]))
  const older = records.filter((one) => !ids.has(one[idField]))
  const names = new Set(added.flatMap(({ after }) => Object.keys(after)))
  return Object.fromEntries(
    [...names].flatMap((field): [string, Json][] => {
      if (added.some(({ sent }) => Object.hasOwn(sent, field))) return []
      const values = added.map(({ after }) => after[field] ?? null)
      const last = values.at(-1) ?? null
      const isText = typeof last === 'string' && /\D\d+$/.test(last) && !isDate(last)
      if (!isText && (field !== idField || !Number.isSafeInteger(last))) return []
      const like = last as string | number
      const counts = values.map((value) => countOf(value, like))
      const before = older.map((one) => countOf(one[field] ?? null, like))
      const isRising = counts.every((count, at) => count > (counts[at - 1] ?? 0))
      const isAbove = before.every((count) => count < (counts[0] ?? 0))
      const isKnown = before.filter((count) => count > 0).length > 1
      if (!isRising || !isAbove || !isKnown) return []
      // Without a gap, the greatest number of the records leads to the same next one.
      const stored = Math.max(...records.map((one) => countOf(one[field] ?? null, like)))
      const given = Math.max(...counts)
      if (isText) return [[field, formatCount(given > stored + 1 ? given : stored, like)]]
      return given > stored + 1 ? [[field, like]] : []
    }),
  )
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d/.test(text)
}

function toSchema(
  name: string,
  own: readonly WriteSample[],
  records: readonly JsonRecord[],
): LearnedOption[] {
  const value = learnSchema(own, records)
  const evidence = 'the API refuses writes with other values'
  return value ? [{ path: ['resources', name, 'schema'], value, evidence }] : []
}

function toUnique(
  name: string,
  own: readonly WriteSample[],
  records: readonly JsonRecord[],
): LearnedOption[] {
  const value = learnUnique(own, records)
  const path = ['resources', name, 'unique']
  const evidence = 'the API refuses values that another record has'
  return Object.keys(value).length > 0 ? [{ path, value, evidence }] : []
}

function isJsonRecord(value: Json): value is JsonRecord {
  return isRecord(value)
}

/** Whether a value has the id of the new record, such as a link, or is the key of the parent in the path. */
function namesId(value: Json, { id, parent }: WriteSample): boolean {
  if (parent !== undefined && isId(value) && String(value) === parent) return true
  const words = JSON.stringify(value).split(/[^\w-]+/)
  return typeof value !== 'number' && id !== undefined && words.includes(id)
}

/** Whether a value is a record that a sent foreign key names, which responses embed. */
function embedsSent(value: Json, { sent }: WriteSample): boolean {
  const keys = Object.values(sent).filter(isId)
  return isRecord(value) && Object.values(value).some((one) => isId(one) && keys.includes(one))
}

/** Whether a value is that of a new record, even if a single record shows it. */
function isNeutral(value: Json): boolean {
  if (typeof value === 'string') return !/\d/.test(value) || Number(value) === 0
  return typeof value !== 'number' || value === 0 || value === 1
}

/** Finds the field that counts the writes of a record. */
function findVersion(all: readonly WriteSample[]): string | undefined {
  const changes = all.filter(({ kind, isShown, before }) => kind !== 'create' && isShown && before)
  const [first] = changes
  return Object.keys(first?.after ?? {}).find((field) =>
    changes.every(({ sent, before, after }) => {
      const [old, next] = [before?.[field], after?.[field]]
      const isCounted = typeof old === 'number' && old > 0 && next === old + 1
      return isCounted && !Object.hasOwn(sent, field) && /version|revision|^rev$|^_?v$/i.test(field)
    }),
  )
}

/** Finds the fields with the times of creation and of the last write. */
function toTimestamps(all: readonly WriteSample[]): JsonRecord | undefined {
  const times = (kinds: readonly string[]): Map<string, string> => {
    const found = new Map<string, string>()
    for (const { kind, sent, before, after = {}, exchange } of all) {
      if (!kinds.includes(kind)) continue
      for (const [field, value] of Object.entries(after)) {
        const form = timeFormOf(value, exchange.at)
        const isSet = !Object.hasOwn(sent, field) && !isSame(before?.[field] ?? null, value)
        if (form !== undefined && isSet) found.set(field, form)
      }
    }
    return found
  }
  const atCreate = times(['create'])
  const atUpdate = times(['update', 'replace'])
  const rank = (field: string): number => (/creat|updat|modif|chang|added/i.test(field) ? 0 : 1)
  const inOrder = (fields: Map<string, string>): string[] =>
    [...fields.keys()].toSorted((a, b) => rank(a) - rank(b))
  const [updatedAt = inOrder(atCreate).find((field) => /updat|modif|chang/i.test(field))] =
    inOrder(atUpdate)
  const createdAt = inOrder(atCreate).find((field) => field !== updatedAt)
  const form =
    atCreate.get(createdAt ?? '') ?? atUpdate.get(updatedAt ?? '') ?? atCreate.get(updatedAt ?? '')
  if (form === undefined) return undefined
  return {
    createdAt: createdAt ?? false,
    updatedAt: updatedAt ?? false,
    ...(form !== 'iso' && { as: form }),
  }
}

/** Finds the field of a slug, and the field that it is made of. */
function toSlug(name: string, all: readonly WriteSample[]): LearnedOption[] {
  const creates = all.filter(({ kind, isShown }) => kind === 'create' && isShown)
  const [first] = creates
  const toWords = (value: Json | undefined): string =>
    typeof value === 'string' ? value.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-') : ''
  const isSlugOf = (field: string, from: string): boolean =>
    creates.every(({ sent, after = {} }) => {
      const value = after[field]
      return !Object.hasOwn(sent, field) && value !== '' && toWords(sent[from]) === value
    })
  for (const field of Object.keys(first?.after ?? {})) {
    const from = Object.keys(first?.sent ?? {}).find((one) => isSlugOf(field, one))
    if (from === undefined) continue
    const isUsual = field === (first?.idField === 'id' ? 'slug' : first?.idField)
    const evidence = `${field} of new records has the words of ${from}`
    return [
      { path: ['resources', name, 'slug'], value: isUsual ? from : { from, field }, evidence },
    ]
  }
  return []
}
