import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'

import { checkWebhookTarget } from '../../../src/core/behaviours/webhooks/webhooks.ts'
import { checkOptions } from '../../../src/core/errors/check.ts'
import { isRecord } from '../../../src/core/json/json.ts'
import type { FileConfig } from '../../../src/core/mock/file-config.ts'
import { checkRestOptions } from '../../../src/core/dialects/rest-names/check-options.ts'
import { isDialectName, isPresetName } from '../../../src/load/config/dialect-names.ts'
import {
  bodyOptions,
  checkResourceOptions,
  type ResourceOptions,
  type SlugOptions,
} from '../../../src/core/resources/options.ts'
import type { NewRecord } from '../../../src/core/behaviours/shared/record-actions.ts'
import { checkAction } from '../../../src/core/resources/action-options.ts'
import type { FilterDefaults } from '../../../src/core/resources/filter-rule.ts'
import { graphql } from '../../../src/core/behaviours/graphql/graphql.ts'
import { toBehaviours } from '../../../src/core/behaviours/to-behaviours.ts'
import { readDelay } from '../../../src/core/time/duration.ts'
import { checkFileConfig } from '../../../src/load/config/check-config.ts'
import { loadMock } from '../../../src/node.ts'
import { createFolder } from '../loader/folder.ts'

type Schema = { properties: Record<string, object>; additionalProperties: unknown; $defs: object }

const folder = join(import.meta.dirname, '../../../schemas')
const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const config = read('config') as Schema
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
ajv.addSchema(config, 'config')

/** Runs the program's own check of options; throws where it refuses them. */
type Run = (options: object) => unknown

const use =
  (name: string, wrap: (options: object) => unknown = (options) => options): Run =>
  (options) =>
    toBehaviours({ [name]: wrap(options) }, { graphql })

/** Every place of the schema with a fixed set of options, the check of the program, and required options. */
const places: [place: string, run: Run, required?: object][] = [
  ['', checkConfig],
  ['/$defs/use', (options) => toBehaviours(options as Record<string, unknown>, { graphql })],
  ['/$defs/auth', use('auth')],
  ['/$defs/auth/properties/key', use('auth', (key) => ({ key }))],
  ['/$defs/auth/properties/answers', use('auth', (answers) => ({ answers }))],
  ['/$defs/auth/properties/paths', use('auth', (paths) => ({ paths }))],
  ['/$defs/auth/properties/statuses', use('auth', (statuses) => ({ statuses }))],
  ['/$defs/owner', use('auth', (posts) => ({ owners: { posts } })), { key: 'userId' }],
  ['/$defs/events', use('events')],
  ['/$defs/faults', use('faults')],
  ['/$defs/fault', use('faults', (rule) => ({ rules: [rule] })), { status: 500 }],
  ['/$defs/fieldOptions', use('fields', (posts) => ({ posts }))],
  ['/$defs/timestamps', use('fields', (timestamps) => ({ posts: { timestamps } }))],
  ['/$defs/fileField', use('files', (avatar) => ({ users: { avatar } }))],
  ['/$defs/uploads', use('files', (uploads) => ({ uploads }))],
  ['/$defs/graphql', use('graphql')],
  ['/$defs/operationLimits', use('graphql', (limits) => ({ limits }))],
  ['/$defs/idempotency', use('idempotency')],
  ['/$defs/limit', use('limit'), { requests: 1, per: '1s' }],
  ['/$defs/pageLimit', use('limit', (page) => ({ page })), { max: 1 }],
  ['/$defs/timeout', use('limit', (timeout) => ({ timeout })), { after: 1 }],
  ['/$defs/oidc', use('oidc')],
  ['/$defs/oidcClient', use('oidc', (client) => ({ clients: [client] })), { client_id: 'x' }],
  ['/$defs/proxy', use('proxy'), { to: 'http://x' }],
  ['/$defs/rest', checkRest],
  ['/$defs/rest/properties/pages', (pages) => checkRest({ pages })],
  ['/$defs/rest/properties/parameters', (parameters) => checkRest({ parameters })],
  ['/$defs/resource', checkResource],
  [
    '/$defs/computed',
    (own) => checkResourceOptions({ posts: { computed: { own } } }),
    { count: 'x', value: 1 },
  ],
  [
    '/$defs/resource/properties/filters/additionalProperties/anyOf/1',
    (name) => checkResourceOptions({ posts: { filters: { name: name as FilterDefaults } } }),
    { field: 'x' },
  ],
  [
    '/$defs/resource/properties/unique/anyOf/1/additionalProperties/anyOf/1',
    (title) => checkResourceOptions({ posts: { unique: { title } } }),
  ],
  [
    '/$defs/slug',
    (slug) => checkResourceOptions({ posts: { slug: slug as SlugOptions } }),
    { from: 'x' },
  ],
  [
    '/$defs/resourceAction',
    (own) => checkResourceOptions({ posts: { actions: { 'POST x': own } } }),
    { toggle: 'x', value: 1 },
  ],
  [
    '/$defs/resourceAction/properties/create',
    (own) => checkAction('the action', 'POST x', { create: own as NewRecord }),
    { in: 'posts', fields: {} },
  ],
  ['/$defs/restResource', (own: object) => checkRest({ resources: { own } })],
  ['/$defs/scenarios', use('scenarios')],
  ['/$defs/scenario', use('scenarios', (empty) => ({ sets: { empty } }))],
  ['/$defs/sessions', use('sessions')],
  ['/$defs/stateOptions', use('states', (own) => ({ posts: withStates(own) }))],
  ['/$defs/action', use('states', (a) => ({ posts: withStates({ actions: { a } }) })), { to: 'x' }],
  [
    '/$defs/timedChange',
    use('states', (x) => ({ posts: withStates({ after: { x } }) })),
    { to: 'x', in: 1 },
  ],
  ['/$defs/versions', use('versions'), { versions: { x: {} } }],
  ['/$defs/version', use('versions', (x) => ({ versions: { x } }))],
  ['/properties/webhooks', checkWebhookTarget],
  ['/$defs/webhooks', use('webhooks'), { endpoints: [] }],
  [
    '/$defs/endpoint',
    use('webhooks', (endpoint) => ({ endpoints: [endpoint] })),
    { url: 'http://x/', secret: 'AAAA' },
  ],
  ['/$defs/delay/anyOf/2', (options) => readDelay(options as never), { min: 1, max: 2 }],
  ['/$defs/delay/anyOf/3', (options) => readDelay(options as never), { median: 1 }],
]

/** Checks a configuration as its file is loaded, of which behaviours are an object in JSON. */
function checkConfig({ use = {}, ...config }: { use?: unknown; dialect?: unknown }): void {
  checkFileConfig(config as FileConfig)
  checkOptions('use', use)
  toBehaviours(use as Record<string, unknown>, { graphql })
  if (typeof config.dialect === 'string' && !isDialectName(config.dialect))
    throw new Error('unknown')
}

/** Checks the options of a resource, some of which a dialect or a behaviour checks. */
function checkResource(own: ResourceOptions): void {
  checkResourceOptions({ own })
  const bodies = Object.entries(own).filter(([name]) => bodyOptions.some((one) => one === name))
  if (bodies.length > 0) checkRest({ resources: { own: Object.fromEntries(bodies) } })
  if (own.owners !== undefined) toBehaviours({ auth: { owners: { own: own.owners } } })
}

/** Checks the options of `rest` as a configuration file has them. */
function checkRest(options: {
  preset?: unknown
  pages?: object
  parameters?: object
  resources?: Record<string, object>
}): void {
  checkRestOptions(options)
  if (options.preset !== undefined && !isPresetName(options.preset)) throw new Error('unknown')
}

/** Adds transitions that name all states of the options, without which the program refuses a state. */
function withStates(own: { initial?: unknown; actions?: object; after?: object }): object {
  const named = [
    own.initial,
    ...Object.values(own.actions ?? {}),
    ...Object.values(own.after ?? {}),
  ]
  const states = named.map((one: unknown) => (isRecord(one) ? one['to'] : one))
  const valid = states.filter((one) => /string|number|boolean/.test(typeof one))
  return { transitions: { x: ['x', ...valid] }, ...own }
}

/** Options that no JSON can hold. */
const unwritable: Record<string, string[]> = {
  '': ['clock'],
  '/$defs/graphql': ['graphiql', 'resolvers'],
  '/$defs/webhooks': ['send'],
  '/properties/webhooks': ['send'],
}

const scalars = [true, false, null, -1, 0, 1, 2.5, 99, 200, 404, 503, 70_000, 1e16]
const texts = '| |x|ü|a b|/x|a?b|http://x|2026-01-01|5s|200-800|1d|5 years|AAAA|iso|own'.split('|')
const lists = [[], ['x'], [1], [''], [['x']], [{}]]
const objects = ['x', '', 1, true, null, [], ['x'], [1], {}, { x: 'x' }].map((x) => ({ x }))

/** Values of all kinds, of which each option takes some. */
const values: unknown[] = [...scalars, ...texts, ...lists, {}, ...objects]

/** Options whose texts or numbers the program compares with other options, or parses. */
const compared = [
  '/$defs/graphql schema',
  '/$defs/fault on',
  '/$defs/proxy only',
  '/$defs/proxy except',
  '/$defs/versions default',
  '/$defs/version deprecated',
  '/$defs/version sunset',
  '/$defs/version successor',
  '/$defs/endpoint events',
  '/$defs/delay/anyOf/2 min',
  '/$defs/delay/anyOf/2 max',
]

describe('schemas/config.json', () => {
  it('has a row in this test for every set of options', () => {
    const found = new Set<string>()
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return
      if ('additionalProperties' in value && value.additionalProperties === false) found.add(place)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${place}/${key}`)
    }
    visit(config, '')
    const inline = ['/$defs/relation/anyOf/1']
    expect([...found].toSorted()).toEqual([...places.map(([place]) => place), ...inline].toSorted())
  })

  it.each(places)('has the options of the program, and no others: %s', (place, run, required) => {
    const known = namesIn(run, { ...required, '§§§§§§§§§': 1 })
    const { properties } = at(place)
    const names = Object.keys(properties).filter((name) => name !== '$schema')
    expect([...names, ...(unwritable[place] ?? [])].toSorted()).toEqual(known.toSorted())
  })

  it.each(places)(
    'accepts what the program accepts, and refuses what it refuses: %s',
    (place, run, required) => {
      const validate = ajv.getSchema(`config#${place}`)
      const differences: string[] = []
      for (const name of Object.keys(at(place).properties)) {
        if (name === '$schema') continue
        for (const value of values) {
          const options = { ...required, [name]: value }
          const isValid = validate?.(options) === true
          const isAccepted = accepts(run, options)
          const option = `${place} ${name}`
          if (isAccepted === isValid || (isValid && compared.includes(option))) continue
          differences.push(`${option} ${JSON.stringify(value)} ${isValid ? 'is' : 'is not'} valid`)
        }
      }
      expect(differences).toEqual([])
    },
  )

  it('requires what the program requires', () => {
    for (const [place, run] of places) {
      const validate = ajv.getSchema(`config#${place}`)
      expect([place, validate?.({})]).toEqual([place, accepts(run, {})])
    }
  })

  it('describes every option', () => {
    for (const [place] of places.filter(([place]) => place !== '/$defs/use')) {
      for (const [name, schema] of Object.entries(at(place).properties)) {
        const isPlain = 'description' in schema || '$ref' in schema || 'default' in schema
        expect([place, name, isPlain || name === '$schema']).toEqual([place, name, true])
      }
    }
  })
})

function at(place: string): Schema {
  const keys = place.split('/').filter(Boolean)
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    config,
  ) as Schema
}

function accepts(run: Run, options: object): boolean {
  try {
    run(options)
    return true
  } catch {
    return false
  }
}

/** The names in the advice of the program about an unknown option. */
function namesIn(run: Run, options: object): string[] {
  try {
    run(options)
  } catch (error) {
    const [, names = ''] = /Known: (.*)\.$/.exec(String(error)) ?? []
    return names.split(', ')
  }
  return []
}

describe('the schemas of other files', () => {
  const files: [name: string, valid: unknown[], invalid: unknown[]][] = [
    [
      'routes',
      [{ '/a': '/b' }, { $schema: 'x', '/a/:id': '/b/:id' }],
      [{ '/a': 1 }, [], { '/a': '' }],
    ],
    ['database', [{ $schema: 'x', posts: [{ id: 1 }], profile: {}, version: 1 }], [[], 1]],
  ]
  it.each(files)('schemas/%s.json', (name, valid, invalid) => {
    const validate = new Ajv({ strict: true }).compile(read(name) as object)
    expect(valid.map((value) => validate(value))).toEqual(valid.map(() => true))
    expect(invalid.map((value) => validate(value))).toEqual(invalid.map(() => false))
  })

  it('may be named by "$schema" in each file that a mock is loaded from', async () => {
    const named = (name: string): object => ({
      $schema: `./node_modules/fixtura/schemas/${name}.json`,
    })
    const cwd = createFolder({
      'mock.config.json': {
        ...named('config'),
        fixtures: ['db.json', 'fixtures'],
        routes: 'routes.json',
        use: { scenarios: true },
      },
      'routes.json': { ...named('routes'), '/articles': '/posts' },
      'db.json': { ...named('database'), posts: [{ id: 1 }] },
      'fixtures/profile.json': { $schema: 'x', theme: 'light' },
      'fixtures/_scenarios/empty/profile.json': { $schema: 'x', theme: 'dark' },
    })
    const mock = await loadMock(join(cwd, 'mock.config.json'))
    const get = async (path: string, headers = {}): Promise<unknown> =>
      (await mock.fetch(`http://x${path}`, { headers })).json()
    expect(mock.routes.map(({ resource }) => resource)).not.toContain('$schema')
    expect(await get('/articles')).toEqual([{ id: 1 }])
    expect(await get('/profile')).toEqual({ theme: 'light' })
    expect(await get('/profile', { 'X-Mock-Scenario': 'empty' })).toEqual({ theme: 'dark' })
    expect(await get('/__rules')).toEqual({ '/articles': '/posts' })
  })
})
