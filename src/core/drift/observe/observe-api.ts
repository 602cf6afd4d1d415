import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { toStatistics } from '../../shape/describe/to-statistics.ts'
import { observeAll } from '../../shape/observe/observe.ts'
import { createShapes, type Shape, type ShapeRules } from '../../shape/shapes.ts'
import type { ShapeSource } from '../../shape/sources.ts'
import type { Statistics } from '../../shape/statistics.ts'
import type { Facts } from '../facts/facts.ts'
import { fromStatistics } from '../facts/from-statistics.ts'
import { idOf } from '../../learn/recognize/ids.ts'
import type { Failure, Read, Side, SideResource, Sighting } from '../side.ts'
import { type ObservedResponse, type DriftTarget, isGood } from './explore.ts'
import { seenAt, toReads } from './to-reads.ts'
import { recordsIn, valueIn } from '../../learn/recognize/envelope.ts'

/** Converts responses to a side: what they show of the records and of the envelopes. */
export function toSide(
  responses: ResponsesByResource,
  rules: ShapeRules = {},
  failures: ReadonlyMap<string, Failure> = new Map(),
): Side {
  const all = [...responses].map(([target, list]) => ({
    target,
    list,
    seen: collect(target, list),
  }))
  const shapes = createShapes()(
    all.map(({ target, seen }) => toSource(target, seen)),
    rules,
  )
  const resources = all.map(({ target, list, seen }, at): [string, SideResource] => [
    target.name,
    {
      name: target.name,
      records: seen.sightings.length,
      facts: toFacts(shapes[at], seen),
      sightings: seen.sightings,
      reads: [...toReads(target, list), ...seen.reads],
    },
  ])
  return { resources: new Map(resources), failures }
}

/** The responses of each resource. */
export type ResponsesByResource = ReadonlyMap<DriftTarget, readonly ObservedResponse[]>

interface RecordSighting {
  value: JsonRecord
  seen: string
}

interface Seen {
  sightings: Sighting[]
  /** The records of members with fields that their list leaves out, if there are any. */
  whole: JsonRecord[] | undefined
  reads: Read[]
}

function collect(target: DriftTarget, responses: readonly ObservedResponse[]): Seen {
  const good = responses.filter(isGood)
  if (target.kind !== 'collection') {
    const sightings = good.flatMap((response): Sighting[] => {
      const value = withoutEnvelope(valueIn(response.json, target.name), target.fields)
      return value === undefined ? [] : [{ value, seen: seenAt(response) }]
    })
    return { sightings: sightings.slice(0, 1), whole: undefined, reads: [] }
  }
  const { name, idField } = target
  const rows = new Map<string, RecordSighting>()
  const members: RecordSighting[] = []
  for (const response of good) {
    const seen = seenAt(response)
    if (response.role === 'member') {
      const value = valueIn(response.json, name)
      if (isRecord(value)) members.push({ value, seen })
    } else if (response.role !== 'unknown') {
      for (const value of recordsIn(response.json, name) ?? []) {
        const key = JSON.stringify(value[idField] ?? rows.size)
        if (!rows.has(key)) rows.set(key, { value, seen })
      }
    }
  }
  const pairs = members.flatMap((member) => {
    const row = rows.get(JSON.stringify(member.value[idField]))
    return row ? [[member.value, row.value] as const] : []
  })
  // A recording has a record that only lists have shown without these fields.
  const whole = pairs.filter(([member, row]) => hasMore(member, row))
  for (const { value, seen } of members) {
    const key = JSON.stringify(value[idField] ?? null)
    const row: JsonRecord = rows.get(key)?.value ?? {}
    rows.set(key, { value: { ...row, ...value }, seen })
  }
  return {
    sightings: [...rows.values()],
    whole: whole.length > 0 ? whole.map(([member]) => member) : undefined,
    reads: toLeftOut(name, pairs),
  }
}

/** Returns the record below the only member of a value, if the member is no field and the record has one. */
function withoutEnvelope(
  value: Json | undefined,
  fields: readonly string[] = [],
): Json | undefined {
  const [member, other] = isRecord(value) ? Object.entries(value) : []
  if (!member || other || fields.includes(member[0]) || !isRecord(member[1])) return value
  const [, record] = member
  return fields.some((field) => Object.hasOwn(record, field)) ? record : value
}

function hasMore(whole: Json | undefined, part: Json | undefined): boolean {
  if (isSame(whole, part) || !isRecord(whole) || !isRecord(part)) return false
  return Object.keys(whole).some(
    (key) => !Object.hasOwn(part, key) || hasMore(whole[key], part[key]),
  )
}

function toLeftOut(name: string, pairs: readonly (readonly [JsonRecord, JsonRecord])[]): Read[] {
  if (pairs.length === 0) return []
  const fields = new Set(pairs.flatMap(([member]) => Object.keys(member)))
  const left = [...fields].filter((key) => pairs.every(([, row]) => !Object.hasOwn(row, key)))
  const value = left.length > 0 ? `leaves out ${left.join(', ')}` : 'has whole records'
  const path = `GET /${name}`
  return [{ kind: 'list', path, subject: 'fields of lists', value, seen: path }]
}

function toSource({ name, kind, idField }: DriftTarget, { sightings }: Seen): ShapeSource {
  const values = sightings.map(({ value }) => value)
  if (kind !== 'collection') return { name, kind, version: values, values: () => values }
  const ids = new Set(values.map((value) => idOf(value, idField)))
  return { name, kind, idField, version: values, values: () => values, has: (id) => ids.has(id) }
}

function toFacts(shape: Shape | undefined, { sightings, whole }: Seen): Facts | undefined {
  if (!shape || sightings.length === 0) return undefined
  const references = new Set(shape.relations.map(({ place }) => JSON.stringify(place)))
  const complete: Statistics | undefined = whole && toStatistics(observeAll(whole), true)
  return fromStatistics(shape.statistics, {
    isReference: (place) => references.has(JSON.stringify(place)),
    whole: complete,
  })
}
