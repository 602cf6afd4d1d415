import { define, isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import type { Part } from '../json/documents.ts'
import type { Flatten } from '../json/flat-schema.ts'
import { type Place, toAnyValue, toElement } from '../shape/place.ts'
import type { Shape } from '../shape/shapes.ts'
import type { Statistics } from '../shape/statistics.ts'
import type { Random } from '../time/random.ts'
import { findCopies, findDerivation } from './derived.ts'
import { createDraws, type Draws, pick, textOf } from './draw.ts'
import { isAllowed } from './draw-scalar.ts'
import { createDraw } from './draw-schema.ts'
import { createIds } from './ids.ts'
import { createNumbers, findSums } from './numbers.ts'
import { findTotals, setNamedTotals } from './totals.ts'
import type { Parents } from './parents.ts'
import { createTextField, withNumber } from './text-field.ts'
import { shiftTime, timeRange, type TimeRange } from './times.ts'
import type { WordList } from './words.ts'

/**
 * Creates the function that generates further records of a collection from its examples: each new record follows one
 * example, which decides what is null or missing and how long lists are, and its values are drawn near those of the
 * example. Without examples, the schema of the records decides.
 */
export function createRecordGenerator(facts: GeneratorFacts): (number: number) => JsonRecord {
  const { shape, examples, seed, words, schema, flatten } = facts
  const draws = createDraws(seed, shape.name)
  const ids = createIds(shape, examples, draws, facts.takenIds)
  if (examples.length === 0) {
    const draw = createDraw(flatten, words)
    return (number) => {
      const options = {
        seed: draws.seed(number, ''),
        name: shape.name,
        examples: 'unknown',
      } as const
      const drawn = draw(schema, options)
      const record = isRecord(drawn) ? drawn : {}
      setNamedTotals(record)
      return ids(number, withParents(record, facts, draws, number))
    }
  }
  const fields = createFields(facts, draws)
  return (number) => {
    const example = pick(draws(number, ''), examples) ?? {}
    const record = fields(number, example)
    return ids(number, record)
  }
}

/** The input of `createRecordGenerator`. */
export interface GeneratorFacts {
  shape: Shape
  examples: readonly JsonRecord[]
  seed: number | string
  words: WordList
  /** Returns the ids to which the keys of a collection may lead, and the records. */
  parents: Parents
  /** The ids that exist already. */
  takenIds: Set<string>
  /** The schema of the shape as a part, whose `$ref` lead to other parts. */
  schema: Part
  flatten: Flatten
}

/** The keys of a record that was drawn by its schema lead to records. */
function withParents(
  record: JsonRecord,
  { shape, parents }: GeneratorFacts,
  draws: Draws,
  number: number,
): JsonRecord {
  for (const { place, to } of shape.relations) {
    setKeys(record, place, (path) => {
      return parents.draw(to, `${shape.name} ${number} ${path}`, draws(number, path))
    })
  }
  return record
}

/** Sets the keys at a place, in each element of lists; a key that is null and an object that is missing stay so. */
function setKeys(
  value: Json | undefined,
  [step, ...rest]: Place,
  idAt: (path: string) => Json | undefined,
  path = '',
): void {
  if (step === toElement) {
    const list = Array.isArray(value) ? value : []
    for (const [at, one] of list.entries()) setKeys(one, rest, idAt, `${path}.${at}`)
  } else if (isRecord(value) && step !== undefined && typeof step === 'string') {
    const own = path === '' ? step : `${path}.${step}`
    if (rest.length > 0) return setKeys(ownValue<Json>(value, step), rest, idAt, own)
    const id = ownValue<Json>(value, step) === null ? undefined : idAt(own)
    if (id !== undefined) define(value, step, id)
  }
}

/** What is drawn at one place of the records. */
interface PlaceFacts {
  statistics: Statistics
  draw(call: Call): Json
}

/** A value that is drawn: the value of the example, and where it is in the new record. */
interface Call {
  near: Json
  number: number
  path: string
  random: Random
  /** How far the times of the record are shifted, in milliseconds. */
  shift: number
}

function createFields(
  facts: GeneratorFacts,
  draws: Draws,
): (number: number, example: JsonRecord) => JsonRecord {
  const { shape, examples, words, parents, flatten } = facts
  const drawValue = createDraw(flatten, words)
  const relations = new Map(shape.relations.map((one) => [JSON.stringify(one.place), one.to]))
  const places = new Map<string, PlaceFacts>()
  const ranges = new Map<string, TimeRange>()

  function placeFactsAt(place: Place, statistics: Statistics): PlaceFacts {
    const key = JSON.stringify(place)
    const known = places.get(key)
    if (known) return known
    const created = { statistics, draw: createNearDraw(place, statistics) }
    places.set(key, created)
    return created
  }

  function createNearDraw(place: Place, statistics: Statistics): (call: Call) => Json {
    const to = relations.get(JSON.stringify(place))
    const name = place.findLast((step) => step !== toElement && step !== toAnyValue) ?? ''
    if (to !== undefined) {
      const isUnique = place.length === 1 && isUniqueKey(statistics)
      return ({ near, number, path, random }) =>
        parents.draw(to, `${shape.name} ${number} ${path}`, random, isUnique ? place : undefined) ??
        near
    }
    const values = valuesAt(examples, place)
    const range = timeRange(statistics, name)
    if (range) {
      ranges.set(JSON.stringify(place), range)
      return ({ near, shift }) => shiftTime(near, shift, range)
    }
    const numbers = createNumbers(values.filter((value) => typeof value === 'number'))
    const isTop = place.length === 1
    const texts = createTextField({
      name,
      values: values.filter((value) => typeof value === 'string'),
      statistics,
      words,
      isUnique: isTop && statistics.strings?.values.isUnique === true && values.length > 2,
    })
    const declared = partAt(place, facts)
    const limits = declared && flatten(declared).limits
    return ({ near, number, path, random }) => {
      if (typeof near === 'number') return numbers(random, near)
      if (typeof near !== 'string') return near
      const text = texts(random, near, number)
      if (!declared || !limits || isValid(text, limits)) return text
      if (isValid(near, limits) && !limits['pattern']) return near
      return drawValue(declared, { seed: draws.seed(number, path), name })
    }
  }

  const top = shape.statistics.objects?.fields ?? {}
  const derivations = Object.keys(top).flatMap((field) => {
    if (field === shape.idField || relations.has(JSON.stringify([field]))) return []
    const found = findDerivation(examples, field)
    return found ? [[field, found] as const] : []
  })
  const derived = new Map(
    derivations.filter(([field, one]) => !derivesFrom(one.source, field, derivations)),
  )
  const takenTexts = new Map(
    [...derived.keys()]
      .filter((field) => ownValue<Statistics>(top, field)?.strings?.values.isUnique)
      .map((field) => [field, new Set(examples.map((one) => textOf(one[field])))]),
  )
  const objectsAt = objectFacts(facts, relations)
  const totals = findTotals(examples)

  function drawNear(call: Call, place: Place, statistics: Statistics | undefined): Json {
    const { near, number, path } = call
    if (near === null || !statistics) return near
    const inside = (step: string, inner: Statistics | undefined, value: Json, at: string): Json => {
      const path = `${call.path}.${at}`
      const deeper: Call = { ...call, near: value, path, random: draws(number, path) }
      return drawNear(deeper, [...place, step], inner)
    }
    if (Array.isArray(near)) {
      const items = statistics.arrays?.items
      const isKeys = relations.has(JSON.stringify([...place, toElement]))
      const drawn: Json[] = []
      for (const [at, value] of near.entries()) {
        const item = inside(toElement, items, value, String(at))
        if (!isKeys || !drawn.includes(item)) drawn.push(item)
      }
      return drawn
    }
    if (isRecord(near)) {
      const { fields, values } = statistics.objects ?? {}
      const drawn: JsonRecord = {}
      for (const [key, value] of Object.entries(near)) {
        const inner = fields ? ownValue<Statistics>(fields, key) : values
        define(drawn, key, inside(fields ? key : toAnyValue, inner, value, key))
      }
      return objectsAt(place, drawn)
    }
    return placeFactsAt(place, statistics).draw({ ...call, path })
  }

  return (number, example) => {
    const record: JsonRecord = {}
    const shift = shiftOf(example)(draws(number, '\ntimes'))
    for (const [key, value] of Object.entries(example)) {
      const own = ownValue<Statistics>(top, key)
      if (key === shape.idField || derived.has(key)) {
        define(record, key, value)
        continue
      }
      const path = `.${key}`
      const call: Call = { near: value, number, path, random: draws(number, path), shift }
      define(record, key, drawNear(call, [key], own))
    }
    for (const [field, { source, derive }] of derived) {
      const from = ownValue<Json>(record, source)
      if (typeof from !== 'string' || typeof record[field] !== 'string') continue
      const taken = takenTexts.get(field)
      let text = derive(from)
      for (let times = 2; taken?.has(text) === true; times++) text = withNumber(derive(from), times)
      taken?.add(text)
      define(record, field, text)
    }
    for (const total of totals) total(record)
    return agree(objectsAt([], record), objectsAt)
  }

  /** Returns the function that draws the shift of the times of an example, within the times of all examples. */
  function shiftOf(example: JsonRecord): (random: Random) => number {
    let [low, high] = [-Infinity, Infinity]
    for (const [key, value] of Object.entries(example)) visit([key], value, ownValue(top, key))
    function visit(place: Place, value: Json, statistics: Statistics | undefined): void {
      if (value === null || !statistics) return
      if (Array.isArray(value)) {
        for (const item of value) visit([...place, toElement], item, statistics.arrays?.items)
      } else if (isRecord(value)) {
        const { fields, values } = statistics.objects ?? {}
        for (const [key, inner] of Object.entries(value)) {
          visit(
            [...place, fields ? key : toAnyValue],
            inner,
            fields ? ownValue<Statistics>(fields, key) : values,
          )
        }
      } else {
        placeFactsAt(place, statistics)
        const range = ranges.get(JSON.stringify(place))
        const time = range?.toTime(value)
        if (!range || time === undefined) return
        low = Math.max(low, range.min - time)
        high = Math.min(high, range.max - time)
      }
    }
    return (random) =>
      high > low && Number.isFinite(high - low) ? low + random() * (high - low) : 0
  }
}

/** Whether a derivation of `source` leads back to `field`. */
function derivesFrom(
  source: string,
  field: string,
  all: readonly (readonly [string, { source: string }])[],
): boolean {
  const order = all.map(([name]) => name)
  const next = all.find(([name]) => name === source)?.[1].source
  return next === field && order.indexOf(source) > order.indexOf(field)
}

function isUniqueKey({ strings, numbers, count, nulls }: Statistics): boolean {
  const values = strings?.values ?? numbers?.values
  return values?.isUnique === true && count - nulls > 3
}

/** All values of the examples at a place. */
function valuesAt(examples: readonly Json[], place: Place): Json[] {
  return place.reduce<Json[]>(
    (values, step) =>
      values.flatMap((value): Json[] => {
        if (step === toElement) return Array.isArray(value) ? value : []
        if (!isRecord(value)) return []
        if (step === toAnyValue && !Object.hasOwn(value, step)) return Object.values(value)
        const inner = ownValue<Json>(value, step)
        return inner === undefined ? [] : [inner]
      }),
    [...examples],
  )
}

/** Returns the function that makes the numbers and copies in an object agree with one another, as in the examples. */
function objectFacts(
  { examples, parents }: GeneratorFacts,
  relations: ReadonlyMap<string, string>,
): (place: Place, drawn: JsonRecord) => JsonRecord {
  const known = new Map<string, (drawn: JsonRecord) => void>()

  function learn(place: Place): (drawn: JsonRecord) => void {
    const objects = valuesAt(examples, place).filter(isRecord)
    const sums = findSums(objects)
    const copies = [...relations].flatMap(([key, to]) => {
      const path = JSON.parse(key) as string[]
      const field = path.at(-1) ?? ''
      if (JSON.stringify(path.slice(0, -1)) !== JSON.stringify(place)) return []
      const target = (id: Json): JsonRecord | undefined => parents.find(to, id)
      return [{ field, target, pairs: findCopies(objects, field, target) }]
    })
    return (drawn) => {
      for (const { field, target, pairs } of copies) {
        const record = pairs.length > 0 ? target(drawn[field] ?? null) : undefined
        for (const [name, from] of pairs) {
          if (record && Object.hasOwn(drawn, name)) define(drawn, name, record[from] ?? null)
        }
      }
      for (const [a, b, sum] of sums) {
        if ([a, b, sum].every((name) => typeof drawn[name] === 'number')) {
          define(drawn, sum, Number((Number(drawn[a]) + Number(drawn[b])).toFixed(2)))
        }
      }
    }
  }

  return (place, drawn) => {
    const key = JSON.stringify(place)
    const apply = known.get(key) ?? learn(place)
    known.set(key, apply)
    apply(drawn)
    return drawn
  }
}

/** Makes the objects inside of a record agree again, after a total in them was set. */
function agree(
  record: JsonRecord,
  objectsAt: (place: Place, drawn: JsonRecord) => JsonRecord,
): JsonRecord {
  for (const [key, value] of Object.entries(record)) if (isRecord(value)) objectsAt([key], value)
  return objectsAt([], record)
}

/** The schema of the values at a place; undefined without one. */
function partAt(place: Place, { schema, flatten }: GeneratorFacts): Part | undefined {
  return place.reduce<Part | undefined>((outer, step) => {
    const flat = outer && flatten(outer)
    if (step === toElement) return flat?.items
    return step === toAnyValue ? flat?.additionalProperties : flat?.properties.get(step)?.[0]
  }, schema)
}

function isValid(text: string, limits: JsonRecord): boolean {
  const { const: only = text, enum: choices } = limits
  const isChoice = !Array.isArray(choices) || choices.includes(text)
  return only === text && isChoice && isAllowed(text, limits)
}
