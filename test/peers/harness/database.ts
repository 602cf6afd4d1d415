import { textOf } from '../../../src/core/dialects/shared/js-values.ts'
import { listed } from './listed.ts'
import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import type { Random } from './random.ts'

/** A database as a `db.json` holds it. */
export type Database = Record<string, Json>

/** What a dialect's database may hold. */
export interface DatabaseOptions {
  /** Whether records may come without an id, and arrays may hold what is no record. */
  isLoose: boolean
  /** Whether keys may hold a number, a text or a boolean. */
  hasScalars: boolean
}

/** Words with capitals, spaces, accents, digits and characters that mean something in a query. */
export const words = listed(
  'Hello¦hello world¦World¦foo¦bar¦Foo Bar¦json-server¦typicode¦Zebra¦äpfel¦Äpfel¦',
  'ßtraße¦İstanbul¦日本¦😀 smile¦naïve¦éa¦a.b¦a,b¦c++¦100%¦a&b=c¦what?¦(x)¦[y]¦x^2¦$5¦',
  'back\\slash¦"quoted"¦it\'s¦null¦true¦false¦42¦007¦1e3¦0x10¦ 5 ¦¦ ¦undefined¦',
  '[object Object]¦2024-01-15¦2023-12-31T23:59:59.000Z¦line\nbreak¦tab\there¦a/b¦_page¦',
  'id',
)

/** Resources with the key that refers to one, by the plural rules of both lines. */
const resources: readonly (readonly [name: string, key: string])[] = [
  ['posts', 'postId'],
  ['comments', 'commentId'],
  ['users', 'userId'],
  ['categories', 'categoryId'],
  ['people', 'personId'],
  ['children', 'childId'],
  ['tags', 'tagId'],
  ['companies', 'companyId'],
  ['boxes', 'boxId'],
  ['mice', 'mouseId'],
  ['news', 'newsId'],
  ['series', 'seriesId'],
  ['statuses', 'statusId'],
  ['addresses', 'addressId'],
  ['blogPosts', 'blogPostId'],
  ['user-profiles', 'user-profileId'],
  ['order_items', 'order_itemId'],
  ['Books', 'BookId'],
  ['data', 'datumId'],
  ['analyses', 'analysisId'],
  ['todo', 'todoId'],
  ['fish', 'fishId'],
  ['v1.items', 'v1.itemId'],
  ['db', 'dbId'],
  ['café', 'caféId'],
  ['blog posts', 'blog postId'],
  ['equipment', 'equipmentId'],
  ['quizzes', 'quizId'],
  ['wolves', 'wolfId'],
  ['menus', 'menuId'],
  ['buses', 'busId'],
  ['movies', 'movieId'],
  ['cacti', 'cactusId'],
  ['indices', 'indexId'],
  ['x', 'xId'],
]

const singletons = ['profile', 'settings', 'meta', 'config', 'status', 'me']

const idStyles: readonly (readonly [
  number,
  (random: Random, index: number) => Json | undefined,
])[] = [
  [8, (_, index) => index + 1],
  [3, (random, index) => index * random.int(2, 9) + random.int(1, 2)],
  [3, (_, index) => String(index + 1)],
  [3, (random, index) => `${random.pick(['a', 'B', 'x-', 'ü', 'a b', 'a/b'])}${index}`],
  [2, (random, index) => uuid(random, index)],
  [3, (random, index) => (random.chance(0.5) ? index + 1 : String(index + 1))],
  [2, (random, index) => (random.chance(0.5) ? index + 1 : `m${index}`)],
  [1, (random, index) => index - 2 + (random.chance(0.3) ? 0.5 : 0)],
  [1, (_, index) => `00${index}`],
]

const fields: readonly (readonly [name: string, value: (random: Random) => Json])[] = [
  ['title', (random) => random.pick(words)],
  ['body', (random) => `${random.pick(words)} ${random.pick(words)}`],
  [
    'name',
    (random) => random.pick(['Ann', 'ann', 'Bob', 'bob', 'Zoë', 'zoe', 'Émile', 'emile', '']),
  ],
  ['views', (random) => random.pick([0, 1, 2, 5, 9, 10, 20, 100, 100, 1000, -1, -20])],
  ['rating', (random) => random.pick([0.5, 1.5, 2, 3.25, 4.999, 1e21, 1e-7, -0.5])],
  ['published', (random) => random.chance(0.5)],
  ['createdAt', (random) => `202${random.int(0, 5)}-0${random.int(1, 9)}-1${random.int(0, 9)}`],
  ['tags', (random) => list(random, () => random.pick(['a', 'b', 'c', 'js', 'Foo', 7]))],
  ['author', (random) => person(random)],
  [
    'items',
    (random) => list(random, () => ({ sku: random.pick(['s1', 's2']), n: random.int(0, 3) })),
  ],
  ['zip', (random) => random.pick(['01234', '90210', '0', '1', '10', '9', '1.0', '1e1'])],
  ['price_lte', (random) => random.int(0, 5)],
  ['a.b', (random) => random.pick(['dot', 1, null])],
  ['empty', () => ''],
  ['имя', (random) => random.pick(['Анна', 'анна', 'Борис'])],
  ['_page', (random) => random.int(1, 3)],
  ['user_name', (random) => random.pick(words)],
  ['mixed', (random) => random.pick<Json>([1, '1', true, 'true', null, '', 0, [], {}, ['a'], 'z'])],
  ['matrix', (random) => [[random.int(0, 2)], [random.int(0, 2), random.int(0, 2)]]],
  ['postIds', (random) => list(random, () => random.int(1, 4))],
  ['Id', (random) => random.int(1, 4)],
  ['length', (random) => random.pick<Json>([0, 3, 120, 2.5, -1, '7'])],
  ['0', (random) => random.pick(words)],
  ['in', (random) => random.int(0, 3)],
  ['or', (random) => random.pick<Json>(['x', 1, [], { eq: 1 }])],
  ['eq', (random) => random.pick<Json>([1, 'a', { eq: 'a' }])],
  ['big', (random) => random.pick([9_007_199_254_740_992, 1e308, 5e-324, -0])],
]

/** Makes a database: a few related collections of every kind of id and value, and singletons. */
export function makeDatabase(random: Random, options: DatabaseOptions): Database {
  const chosen = random.shuffle(resources).slice(0, random.int(2, 6))
  const ids = new Map<string, Json[]>()
  const flags = {
    hasNullKeys: random.chance(0.35),
    hasDanglingKeys: random.chance(0.4),
    hasMissingIds: random.chance(0.15),
  }
  for (const [name] of chosen) ids.set(name, makeIds(random, flags.hasMissingIds))
  const database: Database = {}
  for (const [name] of chosen) {
    const keys = chosen.filter(([other]) => other !== name || random.chance(0.2))
    const own = random.shuffle(fields).slice(0, random.int(1, 8))
    const links = random.shuffle(keys).slice(0, random.int(0, 3))
    database[name] = (ids.get(name) ?? []).map((id) =>
      makeRecord(
        random,
        id,
        own,
        links.map(([other, key]) => [key, ids.get(other) ?? []]),
        flags,
      ),
    )
  }
  if (random.chance(0.7)) database[random.pick(singletons)] = makeSingleton(random)
  if (random.chance(0.2)) database[random.pick(singletons)] = makeSingleton(random)
  if (random.chance(0)) database['$schema'] = './schema.json'
  if (options.isLoose && random.chance(0.1)) database['colors'] = ['red', 'green', 'Blue', 'a']
  if (options.hasScalars && random.chance(0.2))
    database['answer'] = random.pick<Json>([42, 0, true, false, null, '', 'text', 1.5, '12'])
  return database
}

function makeIds(random: Random, hasMissing: boolean): Json[] {
  const style = random.weighted(idStyles)
  const size = random.weighted([
    [1, 0],
    [1, 1],
    [6, random.int(2, 8)],
    [3, random.int(9, 35)],
    [0.3, random.int(201, 260)],
  ] as const)
  const ids = Array.from({ length: size }, (_, index) => style(random, index) ?? null)
  const unique = [...new Map(ids.map((id) => [textOf(id), id])).values()]
  const ordered = random.chance(0.3) ? random.shuffle(unique) : unique
  // `undefined` cannot be among JSON values; an empty array stands for a record without an id.
  return hasMissing ? ordered.map((id) => (random.chance(0.3) ? [] : id)) : ordered
}

function makeRecord(
  random: Random,
  id: Json,
  own: readonly (typeof fields)[number][],
  links: readonly (readonly [key: string, ids: readonly Json[]])[],
  flags: { hasNullKeys: boolean; hasDanglingKeys: boolean },
): JsonRecord {
  const parts: [string, Json][] = []
  for (const [name, value] of own) {
    if (random.chance(0.08)) continue
    parts.push([name, random.chance(0.07) ? null : value(random)])
  }
  for (const [key, ids] of links) {
    if (random.chance(0.06)) continue
    const known = ids.filter((target) => !Array.isArray(target))
    if (flags.hasNullKeys && random.chance(0.1)) parts.push([key, null])
    else if (flags.hasDanglingKeys && random.chance(0.15))
      parts.push([key, random.pick([999, 'x9'])])
    else if (known.length > 0) parts.push([key, restyle(random, random.pick(known))])
  }
  const idPart: [string, Json][] = Array.isArray(id) ? [] : [['id', id]]
  const isLast = random.chance(0.15)
  return Object.fromEntries(isLast ? [...parts, ...idPart] : [...idPart, ...parts])
}

/** A key mostly has its target's type, and sometimes the other one. */
function restyle(random: Random, id: Json): Json {
  if (random.chance(0.85)) return id
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && /^[1-9]\d*$/.test(id) ? Number(id) : id
}

function makeSingleton(random: Random): JsonRecord {
  const own = random.shuffle(fields).slice(0, random.int(0, 5))
  return Object.fromEntries(own.map(([name, value]) => [name, value(random)]))
}

function person(random: Random): JsonRecord {
  const address = random.chance(0.8)
    ? { city: random.pick(['Paris', 'paris', 'Rome']), no: 1 }
    : null
  return {
    name: random.pick(['Ann', 'bob', 'typicode']),
    ...(random.chance(0.7) && { age: random.pick([1, 20, 33]) }),
    ...(random.chance(0.7) && { address }),
  }
}

function list(random: Random, item: () => Json): Json[] {
  return Array.from({ length: random.int(0, 3) }, item)
}

function uuid(random: Random, index: number): string {
  const hex = Array.from({ length: 30 }, () => random.int(0, 15).toString(16)).join('')
  const text = `${index.toString(16).padStart(2, '0')}${hex}`
  return [8, 12, 16, 20, 32].map((end, i, ends) => text.slice(ends[i - 1] ?? 0, end)).join('-')
}
