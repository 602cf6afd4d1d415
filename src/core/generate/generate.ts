import { checkOptions, isCount, isText } from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import { idFieldOf, type IdOption } from '../fixtures/id-field.ts'
import { copyFixture, toResources } from '../fixtures/fixtures.ts'
import type { RelationOptions } from '../fixtures/relation-options.ts'
import { follow } from '../json/documents.ts'
import { createFlatten } from '../json/flat-schema.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import { createShapes, type Shape, type ShapeRules } from '../shape/shapes.ts'
import { toSources } from '../shape/sources.ts'
import { hash } from '../time/random.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { textOf } from './draw.ts'
import { type Candidates, createParents } from './parents.ts'
import { createRecordGenerator } from './record-generator.ts'
import { type FakerLike, toWords } from './words-of-faker.ts'
import { wordLists } from './words.ts'

/**
 * Generates records that look like those of the fixtures: keeps the records that are there, and brings each named
 * collection to a number of records. Each value depends on the seed, the collection, the number of the record and the
 * field alone.
 * @throws MockError for an option that is wrong, and for a collection without examples, schema or fields
 * @example generate({ users: 200, posts: { count: 10_000, status: 'draft' } }, { fixtures, seed: 7 })
 */
export function generate<Faker extends FakerLike = FakerLike>(
  counts: Counts<Faker>,
  options: GenerateOptions<Faker> = {},
): Record<string, JsonRecord[]> {
  return createGenerator(options).generate(counts)
}

/**
 * Creates the functions that generate records in the manner of some fixtures.
 * @throws MockError for an option that is wrong
 * @example const { build } = createGenerator({ fixtures }); mock.db.posts.insert(build('posts', { status: 'draft' }))
 */
export function createGenerator<Faker extends FakerLike = FakerLike>(
  options: GenerateOptions<Faker> = {},
): Generator<Faker> {
  const { schemas = {}, relations, foreignKeySuffix } = options
  return createGeneratorBy(options, {
    relations,
    foreignKeySuffix,
    describe: (name) => {
      const schema = ownValue(schemas, name)
      return schema === undefined ? [] : [{ schema }]
    },
  })
}

/** Generates one record without an id, with some values given; each call with the same options gives another record. */
export function build(
  name: string,
  overrides: Readonly<Record<string, Json>> = {},
  options: GenerateOptions = {},
): JsonRecord {
  const { fixtures = noFixtures, faker, ...others } = options
  const known = generators.get(fixtures) ?? []
  generators.set(fixtures, known)
  const key = JSON.stringify(others)
  let own = known.find((one) => one.faker === faker && one.key === key)
  if (!own) {
    own = { faker, key, generator: createGenerator(options) }
    known.push(own)
  }
  return own.generator.build(name, overrides)
}

const noFixtures = {}

/** The generators of `build` by fixtures; `key` is the JSON of the options besides fixtures and faker. */
const generators = new WeakMap<
  object,
  { faker: FakerLike | undefined; key: string; generator: Generator }[]
>()

/** Creates a generator by rules, which name relations and describe records. */
export function createGeneratorBy<Faker extends FakerLike = FakerLike>(
  options: GenerateOptions<Faker>,
  rules: ShapeRules,
): Generator<Faker> {
  checkOptions('the options of "generate"', options, {
    fixtures: [isRecord, 'an object of fixtures'],
    schemas: [isRecord, 'an object of JSON Schemas'],
    seed: [(value) => typeof value === 'string' || Number.isFinite(value), 'a number or a text'],
    locale: isText,
    faker: [(value) => typeof value === 'object' && value !== null, 'an instance of faker'],
    id: [(value) => typeof value === 'string' || isRecord(value), 'a name, or names by collection'],
    relations: [isRecord, 'relations by collection'],
    foreignKeySuffix: isText,
  })
  const { seed = 1, locale = 'en', faker } = options
  const builtIn = ownValue(wordLists, locale) ?? wordLists['en']
  if (!builtIn) throw new MockError('Failed to generate: there are no words.')
  const words = faker ? toWords(faker, builtIn) : builtIn
  const data = toResources(options.fixtures ?? {}, copyFixture)
  const built = new Map<string, number>()

  function recordsOf(name: string): JsonRecord[] {
    const value = data.get(name) ?? []
    if (Array.isArray(value) && value.every(isRecord)) return value
    throw new MockError(
      `Failed to generate "${name}": it is no collection. Please name an array of records.`,
      { code: 'GENERATE_INVALID' },
    )
  }

  function run(wanted: ReadonlyMap<string, Wanted<Faker>>): Map<string, JsonRecord[]> {
    const all: Record<string, Json> = Object.fromEntries(data)
    for (const name of wanted.keys()) define(all, name, recordsOf(name))
    const shapes = createShapes()(
      toSources(all, (name) => idFieldOf(options.id, name)),
      rules,
    )
    const schemas = { get: (file: string) => schemaOf(file, shapes) }
    const flatten = createFlatten((part) => follow(schemas, part))
    const results = new Map<string, JsonRecord[]>()
    const candidates = (name: string): Candidates | undefined => {
      const records = results.get(name) ?? (Array.isArray(all[name]) ? recordsOf(name) : undefined)
      return records && toCandidates(records, idFieldOf(options.id, name))
    }
    for (const shape of inOrder(shapes, wanted)) {
      const own = wanted.get(shape.name)
      if (!own) continue
      const examples = recordsOf(shape.name)
      const { idField = 'id' } = shape
      const isDescribed = (rules.describe?.(shape.name) ?? []).length > 0
      if (examples.length === 0 && !isDescribed && own.fields.length === 0) {
        throw noExamples(shape.name, [...data.keys()])
      }
      const draw = createRecordGenerator({
        shape,
        examples,
        schema: { value: shape.schema, uri: `/${shape.name}.schema.json` },
        flatten,
        seed,
        words,
        parents: createParents(shape, examples, candidates, seed),
        takenIds: new Set(examples.map((one) => textOf(one[idField]))),
      })
      const records = [...examples]
      results.set(shape.name, records)
      for (let number = own.from ?? examples.length; number < own.count; number++) {
        const record = draw(number)
        for (const [field, value] of own.fields)
          define(record, field, valueOf(value, record, number, shape.name))
        records.push(record)
      }
    }
    return results
  }

  /** The schema of `posts.schema.json`: of a resource, else as described. */
  function schemaOf(file: string, shapes: readonly Shape[]): Json | undefined {
    const name = file.replace(/^\/|\.schema\.json$/g, '')
    const own = shapes.find((shape) => shape.name === name)?.schema
    const [described] = rules.describe?.(name) ?? []
    return (own ?? described?.schema) as Json | undefined
  }

  function valueOf(
    value: FieldValue<Faker>,
    record: JsonRecord,
    number: number,
    name: string,
  ): Json {
    if (typeof value !== 'function') return value
    const own = requireFaker(faker)
    own.seed(hash(`${seed} ${name} ${number}`))
    return value(own, record, number)
  }

  return {
    generate(counts) {
      checkOptions('the counts', counts)
      const wanted = new Map(
        Object.entries(counts).map(([name, one]) => [name, toWanted(name, one)] as const),
      )
      return Object.fromEntries(run(wanted))
    },
    build(name, overrides = {}) {
      const examples = recordsOf(name)
      const number = examples.length + (built.get(name) ?? 0)
      built.set(name, number - examples.length + 1)
      const wanted = { count: number + 1, from: number, fields: Object.entries(overrides) }
      const record =
        run(new Map([[name, wanted]]))
          .get(name)
          ?.at(-1) ?? {}
      const { [idFieldOf(options.id, name)]: _id, ...rest } = record
      return { ...rest, ...overrides }
    },
  }
}

/** The numbers of records by collection, or a number with values for some fields. */
export type Counts<Faker extends FakerLike = FakerLike> = Readonly<
  Record<string, number | ({ count: number } & Readonly<Record<string, FieldValue<Faker>>>)>
>

/** The value of a field, or a function that returns the value; `faker` is seeded for each record. */
export type FieldValue<Faker extends FakerLike = FakerLike> =
  | Json
  | ((faker: Faker, record: JsonRecord, number: number) => Json)

/** The options of {@link generate}. */
export interface GenerateOptions<Faker extends FakerLike = FakerLike> {
  /** The data to learn from, by resource name. Three records of a collection are enough. */
  fixtures?: Readonly<Record<string, unknown>>
  /** JSON Schemas of records by collection, for collections without records, and for fields with limits. */
  schemas?: Readonly<Record<string, JsonSchema>>
  /** @default 1 */
  seed?: number | string
  /** The language of names and texts: 'en' or 'de', or any of `faker`. @default 'en' */
  locale?: string
  /** An instance of `@faker-js/faker`, whose names and places are used. */
  faker?: Faker
  /** The id field: one name for all collections, or a name per collection. @default 'id' */
  id?: IdOption
  relations?: RelationOptions
  foreignKeySuffix?: string
}

/** The functions that generate records. */
export interface Generator<Faker extends FakerLike = FakerLike> {
  /** Brings each named collection to a number of records; returns all records by collection. */
  generate(counts: Counts<Faker>): Record<string, JsonRecord[]>
  /** Generates one record without an id, with some values given; each call gives another record. */
  build(name: string, overrides?: Readonly<Record<string, Json>>): JsonRecord
}

interface Wanted<Faker extends FakerLike> {
  count: number
  /** The number of the first record to generate. @default the number of existing records */
  from?: number
  fields: readonly (readonly [field: string, value: FieldValue<Faker>])[]
}

function toWanted<Faker extends FakerLike>(
  name: string,
  given: Counts<Faker>[string],
): Wanted<Faker> {
  const { count, ...fields } = typeof given === 'object' ? given : { count: given }
  if (isCount[0](count)) return { count, fields: Object.entries(fields) }
  throw new MockError(
    `Failed to generate "${name}": ${JSON.stringify(count)} is no number of records. Please give a number such as 200.`,
    { code: 'GENERATE_INVALID' },
  )
}

function noExamples(name: string, known: readonly string[]): MockError {
  return new MockError(
    `Failed to generate "${name}": there is no example. Please add a fixture with three records, or ${name}.schema.json. ${suggest(name, known)}`,
    { status: 422, code: 'GENERATE_INVALID' },
  )
}

function requireFaker<Faker extends FakerLike>(faker: Faker | undefined): Faker {
  if (faker) return faker
  throw new MockError(
    'Failed to call the function of a field: there is no faker. Please run "npm install --save-dev @faker-js/faker", and give the option { faker }.',
    { code: 'GENERATE_INVALID' },
  )
}

/** Parents come before their children, so that the keys of the children can lead to new parents. */
function inOrder(shapes: readonly Shape[], wanted: ReadonlyMap<string, unknown>): Shape[] {
  const ordered = new Set<Shape>()
  const visit = (shape: Shape, path: readonly Shape[]): void => {
    if (ordered.has(shape) || path.includes(shape)) return
    for (const { to } of shape.relations) {
      const parent = shapes.find(({ name }) => name === to)
      if (parent && wanted.has(to)) visit(parent, [...path, shape])
    }
    ordered.add(shape)
  }
  for (const shape of shapes) visit(shape, [])
  return [...ordered]
}

const indexes = new WeakMap<readonly JsonRecord[], { size: number; candidates: Candidates }>()

function toCandidates(records: readonly JsonRecord[], idField: string): Candidates {
  const known = indexes.get(records)
  if (known?.size === records.length) return known.candidates
  const byId = new Map(records.map((record) => [record[idField] ?? null, record]))
  const ids = [...byId.keys()].filter((id) => id !== null)
  const candidates: Candidates = { ids, byId: (id) => byId.get(id) }
  indexes.set(records, { size: records.length, candidates })
  return candidates
}
