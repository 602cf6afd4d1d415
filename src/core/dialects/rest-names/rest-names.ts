import type { Template } from '../../text/template.ts'
import { wrong } from '../../errors/check.ts'
import { isRecord, type JsonRecord } from '../../json/json.ts'
import type {
  Dialect,
  RecordNames,
  ResourcePaths,
  ResourceTarget,
  StoredKeys,
} from '../contract/dialect.ts'
import { changeMany } from './bulk.ts'
import { checkRestOptions } from './check-options.ts'
import { describeNames } from './describe.ts'
import { createRecordKeys } from './key-style.ts'
import { unwrap } from './envelope.ts'
import type { RestNames, RestOptions } from './options.ts'
import { rest as plain } from '../rest/rest.ts'
import { parseDependents, parseList, parseMember, unusedParams } from '../rest/question.ts'
import { render, renderEmbedded, type Rendering } from './render.ts'
import { renderError } from './render-error.ts'
import { toSettings, withResource } from './settings.ts'

/**
 * The default dialect, and a function that creates a dialect with other names of parameters, other envelopes
 * or other keys.
 * @example createMock({ fixtures, dialect: rest({ list: { data: '$items' }, key: 'snake_case' }) })
 */
export interface Rest extends PlainRest {
  (options: RestOptions): Dialect
}

type PlainRest = typeof plain

function toCallable(): Rest {
  const create = (options: RestOptions): Dialect => createRest(options)
  const withResources: Dialect['withResources'] = (resources) => createRest({ resources })
  const members = Object.getOwnPropertyDescriptors({ ...plain, withResources })
  return Object.defineProperties(create, members) as Rest
}

/**
 * The default dialect: clients send filters, sort order, page and relations as query parameters, such as
 * `?views:gte=10&_sort=-views&_page=2`, and errors are problem details (RFC 9457). As a function it creates a
 * dialect with other names and envelopes.
 * @example rest({ preset: laravel, parameters: { limit: 'per_page' } })
 */
export const rest: Rest = /* @__PURE__ */ toCallable()

/** Creates `rest` with other names, bodies or keys, as presets are. @throws MockError for options that are wrong */
export function createRest(options: RestOptions, name = 'rest'): Dialect {
  checkRestOptions(options)
  const all = withPreset(options)
  const keys = all.key && createRecordKeys(all.key)
  const toWire = keys?.toWire ?? ((field: string) => field)
  const general: Rendering = { settings: toSettings(all), toWire }
  const own = new Map(
    Object.entries(all.resources ?? {}).map(([path, options]): [string, Rendering] => [
      path,
      { settings: toSettings(withResource(ofChild(all, path), options)), toWire },
    ]),
  )
  const { settings } = general
  const of = (resource = '', parent?: string): Rendering => {
    const nested = parent === undefined ? undefined : own.get(`${parent}/:id/${resource}`)
    return nested ?? own.get(resource) ?? general
  }
  const ofTarget = (target: ResourceTarget | undefined): Rendering =>
    of(target?.resource.name, target?.parent?.collection.name)
  const renderings = [general, ...own.values()]
  const isAdding = renderings.some((one) => addedKeys(one.settings.item).length > 0)
  const hasEnvelope = renderings.some(({ settings: { envelopes } }) => {
    const { levels, listLevels, refused } = envelopes
    return levels.length + listLevels.length + refused.length > 0
  })
  const dialect: Dialect = {
    name,
    parseList: (params, collection, parent) =>
      parseList(params, collection, of(collection.name, parent).settings),
    parseMember: (params, collection) => parseMember(params, collection, settings),
    parseDependents: (params) => parseDependents(params, settings),
    unusedParams: (params, method) => unusedParams(params, method, settings),
    render: (result, context) => render(result, context, ofTarget(context.target)),
    renderError: (error, context) => renderError(error, context, ofTarget(context.target)),
    // A preset may give resources what the options of a mock replace.
    resources: Object.keys((name === 'rest' && options.resources) || {}),
    ...(renderings.some((one) => one.settings.path) && { paths: toPaths(of) }),
    ...(all.joins && { joins: true }),
    ...(all.bulk && { actions: { collection: { PATCH: changeMany, DELETE: changeMany } } }),
    ...(all.foreignKeySuffix !== undefined && { foreignKeySuffix: all.foreignKeySuffix }),
    ...(all.auth && { auth: all.auth }),
    embedded: (record, resource) => renderEmbedded(record, resource, of(resource.name)),
    withResources: (more) =>
      createRest({ ...options, resources: { ...options.resources, ...more } }, name),
    describe: (other) => describeNames(other, dialect, of),
    ...(settings.put && { put: settings.put }),
    ...(hasEnvelope && {
      unwrap(body, resource, { service }) {
        const stored: StoredKeys | undefined = service.store.resources.get(resource)
        const { envelopes } = of(resource).settings
        return unwrap(body, envelopes, resource, stored?.keys?.() ?? new Set())
      },
    }),
    ...((keys || isAdding) && {
      view(resource, { service }) {
        const stored: StoredKeys | undefined = service.store.resources.get(resource)
        const added = addedKeys(of(resource).settings.item)
        return stored && withoutKeys(added, keys?.namesFor(stored))
      },
    }),
  }
  optionsOf.set(dialect, all)
  return dialect
}

/** Creates the paths of resources by the option `path`. */
function toPaths(of: (resource: string) => Rendering): ResourcePaths {
  const namedPath = (name: string): string => `/${encodeURIComponent(name).replaceAll('%2F', '/')}`
  const wirePath = (name: string): string =>
    (of(name).settings.path ?? '/$resource').replace('/$resource', () => namedPath(name))
  /** Replaces the start of a path, that of the resource with the longest one. */
  const replaceStart =
    (from: (name: string) => string, to: (name: string) => string): ResourcePaths['toWire'] =>
    (path, names) => {
      const found = names.filter((name) => `${path}/`.startsWith(`${from(name)}/`))
      const [name] = found.toSorted((a, b) => from(b).length - from(a).length)
      return name === undefined ? undefined : to(name) + path.slice(from(name).length)
    }
  return { toNamed: replaceStart(wirePath, namedPath), toWire: replaceStart(namedPath, wirePath) }
}

/** The options that those of a path replace: of a nested list, `users/:id/posts`, those of its resource. */
function ofChild(all: RestNames, path: string): RestNames {
  const [, child = ''] = path.split('/:id/')
  const own = all.resources?.[child]
  return own ? withResource(all, own) : all
}

/** The options of each dialect that `createRest` has created, for dialects that extend it. */
const optionsOf = new WeakMap<object, RestNames>()

/** Adds a preset to the given options, which win; parameters, pages and the like are merged one by one. */
function withPreset({ preset, ...own }: RestOptions): RestNames {
  if (preset === undefined) return own
  const base = optionsOf.get(Object(preset) as object)
  if (!base) {
    const reason =
      '"preset" is no preset. Please give one from "fixtura/dialects", such as laravel.'
    throw wrong('the options of "rest"', reason)
  }
  const merged = Object.fromEntries(
    Object.entries(own).map(([name, value]) => {
      const given = base[name as keyof RestNames]
      const isMap = mergedOptions.has(name) && isRecord(given) && isRecord(value)
      if (!isMap) return [name, value]
      // Rows of the preset keep their places, and new rows go first, as the first match of `reasons` counts.
      const added = Object.entries(value).filter(([key]) => !Object.hasOwn(given, key))
      return [name, { ...Object.fromEntries(added), ...given, ...value }]
    }),
  )
  return { ...base, ...merged }
}

/** The options of which single members can be replaced. */
const mergedOptions = new Set(
  'parameters pages resources errors statuses messages reasons headers operators codes auth'.split(
    ' ',
  ),
)

/** Returns the keys that the template of a record adds, which clients send back with the record. */
function addedKeys(item: Template): string[] {
  if (!isRecord(item)) return []
  return Object.keys(item)
    .map((key) => key.replace(/\?$/, ''))
    .filter((key) => key !== '...' && !key.includes('$'))
}

/** Leaves out keys that the template of a record has added; without `names`, reads see records as they are stored. */
function withoutKeys(keys: readonly string[], names?: RecordNames): RecordNames | undefined {
  if (keys.length === 0) return names
  const isOwn = ([key]: [string, unknown]): boolean => !keys.includes(key)
  return {
    ...names,
    toStored(record, previous) {
      const own: JsonRecord = Object.fromEntries(Object.entries(record).filter(isOwn))
      return names?.toStored(own, previous) ?? own
    },
  }
}
