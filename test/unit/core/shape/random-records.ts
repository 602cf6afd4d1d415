import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { fc } from '../../../fast-check.ts'

/** A field of random records: its values, how often it is missing, and how often it is null. */
interface FieldSpec {
  name: string
  values: fc.Arbitrary<Json>
  isOptional: boolean
  isNullable: boolean
}

const word = fc.stringMatching(/^[a-z]{3,8}$/)
const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString())
const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-'
const nanoid = fc
  .array(fc.constantFrom(...letters.split('')), { minLength: 18, maxLength: 18 })
  .map((all) => `${all.join('')}aB3`)

/** Values of one format, by the claim of the schema. */
export const formatted: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': date,
  date: date.map((text) => text.slice(0, 10)),
  time: date.map((text) => text.slice(11)),
  uuid: fc.uuid(),
  email: fc.tuple(word, word).map(([name, host]) => `${name}.x@${host}.example`),
  uri: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  hostname: word.map((name) => `${name}.example`),
  '^[0-7][0-9A-HJKMNP-TV-Z]{25}$': fc.ulid(),
  '^[A-Za-z0-9_-]{21}$': nanoid,
  [String.raw`^-?\d+(?:\.\d+)?$`]: fc.integer().map((value) => (value / 100).toFixed(2)),
}

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  ...Object.values(formatted),
)

/** Any value: objects with few names of fields, maps, arrays and scalars. */
const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', '1', '2'), tie('value'), {
      maxKeys: 3,
    }),
    fc.dictionary(fc.uuid(), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** The arbitraries of which each random field takes one. */
const kinds: readonly fc.Arbitrary<Json>[] = [
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.string(),
  fc.constantFrom('draft', 'review', 'done'),
  fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 4 }),
  fc.record({ a: fc.integer(), b: fc.string() }, { requiredKeys: ['a'] }),
  fc.oneof(fc.string(), fc.record({ a: fc.integer() })),
  fc.dictionary(fc.uuid(), fc.integer(), { maxKeys: 3 }),
  anyValue,
  ...Object.values(formatted),
]

const spec: fc.Arbitrary<FieldSpec> = fc.record({
  name: fc.constantFrom('title', 'views', 'at', 'author', 'tags', 'data', '__proto__', 'a b'),
  values: fc.constantFrom(...kinds),
  isOptional: fc.boolean(),
  isNullable: fc.boolean(),
})

/** Records of one collection, with ids from 1. */
export const records: fc.Arbitrary<JsonRecord[]> = fc
  .uniqueArray(spec, { minLength: 1, maxLength: 6, selector: ({ name }) => name })
  .chain((specs) =>
    fc.array(fc.tuple(...specs.map(toField)), { maxLength: 80 }).map((rows) =>
      rows.map((row, at) => {
        const fields = row.filter((pair) => pair !== undefined)
        return Object.fromEntries<Json>([['id', at + 1], ...fields])
      }),
    ),
  )

function toField({
  name,
  values,
  isOptional,
  isNullable,
}: FieldSpec): fc.Arbitrary<[string, Json] | undefined> {
  const value = isNullable ? fc.option(values, { freq: 4 }) : values
  const pair = value.map((one): [string, Json] => [name, one])
  return isOptional ? fc.option(pair, { freq: 4, nil: undefined }) : pair
}
