import { listed } from './listed.ts'
import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import { words } from './database.ts'
import type { PeerRequest } from './exchange.ts'
import type { Random } from './random.ts'
import {
  type Context,
  count,
  equal,
  idSegment,
  makeBody,
  nameOf,
  oddValues,
  type Parameter,
  pathsOf,
  recordsOf,
  singletonsOf,
  toSearch,
  toSoup,
} from './values.ts'

type Maker = (random: Random, context: Context, name: string) => Parameter[]

const operators = ['lt', 'lte', 'gt', 'gte', 'eq', 'ne', 'in', 'contains', 'startsWith', 'endsWith']

/** Makes the next request in the manner of clients of json-server 1. */
export function makeRequest1(random: Random, context: Context): PeerRequest {
  const make = random.weighted([
    [52, list],
    [10, member],
    [4, single],
    [4, odd],
    [9, create],
    [8, update],
    [6, remove],
    [3, writeSingle],
    [2, wrongMethod],
  ] as const)
  return make(random, context)
}

function segment(random: Random, name: string): string {
  const encoded = encodeURIComponent(name)
  return random.weighted([
    [60, encoded],
    [1, encoded.toUpperCase()],
    [1, `%${encoded.charCodeAt(0).toString(16)}${encoded.slice(1)}`],
  ])
}

function list(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  if (random.chance(0.06)) return read(`/${encodeURIComponent(name)}${toSoup(random)}`)
  const slash = random.chance(0.03) ? '/' : ''
  return read(
    `/${segment(random, name)}${slash}${toSearch(random, parameters(random, context, name))}`,
  )
}

function read(path: string): PeerRequest {
  return { method: 'GET', path }
}

function parameters(random: Random, context: Context, name: string): Parameter[] {
  const count = random.weighted([
    [1, 0],
    [6, 1],
    [5, 2],
    [3, 3],
    [1, 5],
  ] as const)
  return Array.from({ length: count }, () => random.weighted(makers)(random, context, name)).flat()
}

const makers: readonly (readonly [number, Maker])[] = [
  [8, (random, context, name) => [equal(random, context, name)]],
  [14, (random, context, name) => [operator(random, context, name)]],
  [2, (random, context, name) => repeated(random, context, name)],
  [2, (random, context, name) => several(random, context, name)],
  [1, (random, context, name) => unknownOperator(random, context, name)],
  [2, (random, context, name) => oddPath(random, context, name)],
  [
    1,
    (random) => [
      [random.pick(['foo', 'q', '_limit', '_start', '_order', '_']), random.pick(oddValues)],
    ],
  ],
  [8, (random, context, name) => [['_where', where(random, context, name)]]],
  [8, sorting],
  [7, pages],
  [6, embeds],
]

function operator(random: Random, context: Context, name: string): Parameter {
  const [field, value] = equal(random, context, name)
  const operator = random.pick(operators)
  const joint = random.chance(0.75) ? ':' : '_'
  const [, other] = equal(random, context, name)
  const operand =
    operator === 'in'
      ? [value, other, random.pick(oddValues)]
          .slice(0, random.int(1, 3))
          .join(random.pick([',', ', ']))
      : value
  const isPart = ['contains', 'startsWith', 'endsWith'].includes(operator)
  return [`${field}${joint}${operator}`, isPart ? part(random, operand) : operand]
}

function part(random: Random, text: string): string {
  return random.pick([text, text.slice(0, 2), text.slice(-2), text.slice(1, 3), text.toUpperCase()])
}

function repeated(random: Random, context: Context, name: string): Parameter[] {
  const [field, first] = random.chance(0.5)
    ? equal(random, context, name)
    : operator(random, context, name)
  return [
    [field, first],
    [field, equal(random, context, name)[1]],
  ]
}

/** Two conditions on one field or on a field and what is inside it. */
function several(random: Random, context: Context, name: string): Parameter[] {
  const [field, first] = equal(random, context, name)
  const [, second] = equal(random, context, name)
  return [
    [random.pick([`${field}:gte`, `${field}:gt`, field, `${field}:ne`, `${field}.name`]), first],
    [random.pick([`${field}:lte`, `${field}:lt`, field, `${field}:in`, `${field}.a.b`]), second],
  ]
}

function unknownOperator(random: Random, context: Context, name: string): Parameter[] {
  const [field, value] = equal(random, context, name)
  const suffix = random.pick(
    listed(':like¦:¦:GT¦_like¦_startsWith¦_¦__gt¦:gt:lt¦:eq.x¦_gte_lte¦_or'),
  )
  return [[`${field}${suffix}`, value]]
}

function oddPath(random: Random, context: Context, name: string): Parameter[] {
  const [field, value] = equal(random, context, name)
  const path = random
    .pick(
      listed(
        String.raw`@[0]¦@.0¦@[]¦[@]¦@.¦.@¦@..x¦@[0].name¦@\.x¦\@¦@\¦@]¦@[¦@[01]¦@[x]¦@.eq¦@.contains¦`,
        String.raw`__proto__.x¦__proto__¦x.__proto__¦prototype¦or¦or.x¦and¦¦.¦:eq¦_eq¦a\.b¦author¦a[=1¦0¦`,
        'author.name¦author.address.city¦tags.0¦eq¦gt¦author.eq¦author.gt¦items.0.sku',
      ),
    )
    .replaceAll('@', () => field)
  return [[path, value]]
}

/** A `_where` as JSON: mostly well formed. */
function where(random: Random, context: Context, name: string): string {
  if (random.chance(0.12)) {
    return random.pick(
      listed(
        '¦{¦null¦5¦"x"¦[]¦{}¦[{"views":{"gt":1}}]¦true¦{"or":[]}¦{"or":{}}¦{"or":[null,1,[]]}¦',
        '{"and":[]}¦{"__proto__":{"x":1}}¦{"or":[{}]}¦{\'a\':1}',
      ),
    )
  }
  return JSON.stringify(tree(random, context, name, 0))
}

function tree(random: Random, context: Context, name: string, depth: number): JsonRecord {
  const conditions = Array.from({ length: random.int(1, 2) }, () =>
    condition(random, context, name),
  )
  const node: JsonRecord = Object.assign({}, ...conditions) as JsonRecord
  if (depth < 2 && random.chance(0.3)) {
    const branches = Array.from({ length: random.int(1, 3) }, () =>
      tree(random, context, name, depth + 1),
    )
    node[random.weighted([[9, 'or'] as const, [1, 'and'] as const, [1, 'not'] as const])] = branches
  }
  return node
}

function condition(random: Random, context: Context, name: string): JsonRecord {
  const paths = pathsOf(recordsOf(context, name))
  const path = paths.size > 0 ? random.pick([...paths.keys()]) : 'id'
  const values = paths.get(path) ?? []
  const value = (): Json =>
    random.chance(0.8) && values.length > 0
      ? random.pick(values)
      : random.pick<Json>(['1', 1, null, true, '', 'a', [], {}, ['1', 1], 1.5])
  const test = random.weighted<() => Json>([
    [
      10,
      () => {
        const operator = random.pick(operators)
        return {
          [operator]: operator === 'in' && random.chance(0.8) ? [value(), value()] : value(),
        }
      },
    ],
    [2, () => ({ gte: value(), lte: value() })],
    [1, () => ({ [random.pick(operators)]: value(), [random.pick(operators)]: value() })],
    [1, () => value()],
    [1, () => ({ like: value() })],
    [1, () => ({ eq: value(), like: 1, name: { eq: 'x' } })],
    [1, () => ({})],
    [1, () => [value()]],
  ])()
  const isNested = random.chance(0.9)
  return isNested
    ? path
        .split('.')
        .reduceRight<JsonRecord>((inner, key) => ({ [key]: inner }), test as JsonRecord)
    : { [path]: test }
}

function sorting(random: Random, context: Context, name: string): Parameter[] {
  const fields = Array.from({ length: random.int(1, 3) }, () => {
    const [field] = equal(random, context, name)
    return `${random.chance(0.4) ? '-' : ''}${field}`
  })
  return random.weighted<Parameter[]>([
    [12, [['_sort', fields.join(',')]]],
    [1, [['_sort', fields.join(', ')]]],
    [
      1,
      [
        ['_sort', fields.join(',')],
        ['_order', 'desc'],
      ],
    ],
    [
      1,
      [
        ['_sort', fields[0] ?? 'id'],
        ['_sort', 'id'],
      ],
    ],
    [
      1,
      [
        [
          '_sort',
          random.pick([
            '',
            '-',
            ',',
            '--id',
            'a[',
            'a[0]',
            'tags[0]',
            '-tags.0',
            'a\\',
            '.',
            '+id',
          ]),
        ],
      ],
    ],
  ])
}

function pages(random: Random): Parameter[] {
  const page: Parameter = ['_page', count(random)]
  const size: Parameter = ['_per_page', count(random)]
  return random.weighted<Parameter[]>([
    [6, [page, size]],
    [3, [page]],
    [1, [size]],
    [1, [page, size, ['_page', count(random)]]],
    [1, [page, size, ['_per_page', count(random)]]],
    [1, [page, ['_limit', count(random)]]],
  ])
}

function embeds(random: Random, context: Context, name: string): Parameter[] {
  const keys = recordsOf(context, name).flatMap((record) => Object.keys(record))
  const stems = keys.filter((key) => key.endsWith('Id')).map((key) => key.slice(0, -2))
  const size = random.chance(0.25) ? 2 : 1
  return Array.from({ length: size }, () => {
    const other = nameOf(random, context)
    const relation = random.weighted([
      [6, other],
      [6, stems.length > 0 ? random.pick(stems) : other],
      [
        1,
        random.pick([
          'nope',
          'comment',
          'person',
          '',
          'profile',
          'title',
          'answer',
          'Person',
          'POSTS',
        ]),
      ],
      [1, `${other},${nameOf(random, context)}`],
      [1, `${other}.x`],
    ])
    return ['_embed', relation] as const
  })
}

function member(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const extra = random.weighted<Parameter[]>([
    [4, []],
    [4, embeds(random, context, name)],
    [1, parameters(random, context, name)],
  ])
  const slash = random.chance(0.03) ? '/' : ''
  const id = idSegment(random, context, name)
  return read(`/${segment(random, name)}/${id}${slash}${toSearch(random, extra)}`)
}

function single(random: Random, context: Context): PeerRequest {
  const scalars = Object.keys(context.database).filter((name) => name === 'answer')
  const names = [...singletonsOf(context), ...scalars]
  if (names.length === 0) return list(random, context)
  const extra = random.chance(0.4) ? parameters(random, context, nameOf(random, context)) : []
  const tail = random.weighted([
    [8, ''],
    [1, '/'],
    [1, '/x'],
  ])
  return read(`/${segment(random, random.pick(names))}${tail}${toSearch(random, extra)}`)
}

function odd(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const id = idSegment(random, context, name)
  const path = random.pick([
    '/nope',
    '/nope/1',
    '/db',
    '/$schema',
    '/__rules',
    `//${name}`,
    `/${name}//`,
    `/${name}/${id}/x`,
    `/${name}/${id}/x/y`,
    `/${name}/${id}/${name}`,
    `/${name}s`,
    `/${name};x`,
    `/%20${name}`,
    `/${name}%20`,
    `/${name}?`,
    `/${name}??_sort=id`,
    `/${name}?_sort=id?x=1`,
    `/${name}?_sort=-id#`,
    '/%E6%97%A5',
    '/1',
  ])
  return read(path)
}

function bodyOf(random: Random, body: Json): Pick<PeerRequest, 'headers' | 'body'> {
  const json = JSON.stringify(body)
  const type = { 'content-type': 'application/json' }
  return random.weighted<() => Pick<PeerRequest, 'headers' | 'body'>>([
    [30, () => ({ headers: type, body: json })],
    [3, () => ({ body: json })],
    [
      2,
      () => ({
        headers: { 'content-type': random.pick(['text/plain', 'application/vnd.api+json', 'x/y']) },
        body: json,
      }),
    ],
    [1, () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: json })],
    [1, () => ({})],
    [1, () => ({ headers: type, body: '' })],
    [
      3,
      () => ({
        headers: type,
        body: random
          .pick(
            listed(
              '{}¦{bad¦null¦5¦"text"¦[]¦[@]¦true¦ @\n¦title=x&a=1¦{"id":"","title":"x"}¦',
              '{"2":"b","1":"a","id":3,"title":"x"}¦{"title":1,"title":2}¦',
              '{"__proto__":{"x":1},"title":"p"}¦{"constructor":1,"toString":"x","length":3}',
            ),
          )
          .replaceAll('@', () => json),
      }),
    ],
  ])()
}

function create(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const body = makeBody(random, context, name)
  const id = random.pick<Json>([1, 'zz', null, '', 0])
  const sent = random.chance(0.3) ? (random.chance(0.5) ? { id, ...body } : { ...body, id }) : body
  const path = `/${segment(random, name)}${random.weighted([
    [20, ''],
    [1, '/'],
    [1, '?foo=1'],
  ])}`
  return { method: 'POST', path, ...bodyOf(random, sent) }
}

function update(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const body = makeBody(random, context, name)
  const id = random.pick<Json>([1, 'zz', null, 777])
  const sent = random.chance(0.3) ? (random.chance(0.5) ? { id, ...body } : { ...body, id }) : body
  const path = `/${segment(random, name)}/${idSegment(random, context, name)}`
  const search = random.chance(0.05) ? '?x=1' : ''
  return {
    method: random.pick(['PUT', 'PATCH', 'PATCH']),
    path: path + search,
    ...bodyOf(random, sent),
  }
}

function remove(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const path = `/${segment(random, name)}/${idSegment(random, context, name)}`
  const dependents = random.weighted<Parameter[]>([
    [5, []],
    [4, [['_dependent', nameOf(random, context)]]],
    [1, [['_dependent', random.pick(['nope', '', name, words[0] ?? ''])]]],
    [
      1,
      [
        ['_dependent', nameOf(random, context)],
        ['_dependent', nameOf(random, context)],
      ],
    ],
  ])
  return { method: 'DELETE', path: path + toSearch(random, dependents) }
}

function writeSingle(random: Random, context: Context): PeerRequest {
  const names = singletonsOf(context)
  if (names.length === 0) return create(random, context)
  const name = random.pick(names)
  const method = random.pick(['POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'])
  const body = { ...makeBody(random, context, name), ...(random.chance(0.2) && { id: 5 }) }
  return { method, path: `/${segment(random, name)}`, ...bodyOf(random, body) }
}

function wrongMethod(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const id = idSegment(random, context, name)
  const path = random.pick([`/${name}`, `/${name}/${id}`, `/${name}/${id}/${name}`, '/nope'])
  const method = random.pick(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'HEAD', 'PROPFIND'])
  if (method === 'POST' && path === `/${name}`) return create(random, context)
  return { method, path, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
}
