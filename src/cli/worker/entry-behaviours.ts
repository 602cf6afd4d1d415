import { isRecord } from '../../core/json/json.ts'
import { toSchemas, toScenarioSets } from './entry-fixtures.ts'
import { type Entry, importData } from './entry-parts.ts'
import { toSource, toSourceWith, wrap } from './to-source.ts'

/**
 * Writes the option `use` of a worker: the calls that create the behaviours of the configuration and its
 * files, in the order of a server. Returns undefined without behaviours.
 */
export function toUse(entry: Entry): string | undefined {
  const { config } = entry.project
  const given = replacements.filter(({ option }) => config[option] !== undefined)
  const callsAt = (place: Replacement['place']): string[] =>
    given
      .filter((one) => one.place === place)
      .flatMap(({ name, toOptions }) => {
        const options = toOptions(entry)
        return options === undefined ? [] : [call(entry, name, options)]
      })
  const replaced = ['sessions', ...given.map(({ name }) => name)]
  // A server puts proxies last, as they answer the requests that no other behaviour answers.
  const own = toOwn(entry, (name) => name !== 'proxy' && !replaced.includes(name))
  const proxies = toOwn(entry, (name) => name === 'proxy' && !replaced.includes(name))
  const parts = [...callsAt('first'), ...own, ...fromFiles(entry), ...proxies, ...callsAt('last')]
  if (parts.length === 0) return undefined
  const [only = ''] = parts
  return parts.length === 1 && only.startsWith('...') ? only.slice(3) : wrap('[]', parts, '    ')
}

/** Writes the option `dialect` of a worker; undefined for the default. */
export function toDialect({ project, imports, valueOf }: Entry): string | undefined {
  const { dialect } = project.config
  const named = (name: string): string => imports.named('fixtura/dialects', toExportName(name))
  if (dialect === undefined || dialect === 'rest') return undefined
  if (typeof dialect === 'string') return named(dialect)
  // A dialect of a module has other members; the options of `rest` have this key alone.
  if (!('rest' in dialect)) return valueOf('dialect')
  const { preset, ...options } = dialect.rest
  const members = preset === undefined ? {} : { preset: named(preset) }
  return `${named('rest')}(${toSourceWith(options, members, '    ')})`
}

/**
 * Writes the option `sessions` of a worker, which replaces the behaviour `sessions`; undefined without
 * options.
 */
export function toSessions({ project, valueOf, omitted }: Entry): string | undefined {
  const { config, use } = project
  const ttl = config.sessionTtl === undefined ? {} : { ttl: valueOf('sessionTtl') }
  if (project.module && config.use?.some(({ name }) => name === 'sessions')) {
    omitted.push('the options of sessions() (please copy them to "sessions" of createWorker)')
  }
  const text = toSourceWith(isRecord(use['sessions']) ? use['sessions'] : {}, ttl, '    ')
  return text === '{}' ? undefined : text
}

/** An option that replaces a behaviour of `use`. */
interface Replacement {
  option: 'routes' | 'delay' | 'proxy'
  /** The name of the behaviour. */
  name: string
  /** The place of the behaviour among all behaviours. */
  place: 'first' | 'last'
  /** The options of the behaviour; undefined if the worker cannot have the behaviour. */
  toOptions(entry: Entry): string | undefined
}

const replacements: readonly Replacement[] = [
  { option: 'routes', name: 'rewrite', place: 'first', toOptions: toRules },
  { option: 'delay', name: 'delay', place: 'first', toOptions: ({ valueOf }) => valueOf('delay') },
  {
    option: 'proxy',
    name: 'proxy',
    place: 'last',
    toOptions: ({ valueOf }) => `{ to: ${valueOf('proxy')} }`,
  },
]

/** Returns the name under which a dialect is exported: `jsonServer1` for `json-server-1`. */
function toExportName(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, next: string) => next.toUpperCase())
}

function call({ imports }: Entry, name: string, options: string): string {
  return `${imports.named('fixtura/behaviours', name)}(${options})`
}

/** The rules of `routes`, or the file that contains them; undefined for a file that a worker cannot import. */
function toRules(entry: Entry): string | undefined {
  const { routes } = entry.project.config
  if (typeof routes !== 'string') return entry.valueOf('routes')
  return importData(entry, routes, 'rewrite rules')?.data
}

/** The behaviours of `use` with these names. */
function toOwn(entry: Entry, isIncluded: (name: string) => boolean): string[] {
  return entry.project.module ? toSpread(entry, isIncluded) : toCalls(entry, isIncluded)
}

/** The calls that create the behaviours of a configuration in JSON. */
function toCalls(entry: Entry, isIncluded: (name: string) => boolean): string[] {
  return Object.entries(entry.project.use)
    .filter(([name, options]) => options !== false && isIncluded(name))
    .map(([name, options]) =>
      call(entry, name, options === true ? '' : toSource(options, '      ')),
    )
}

/** The behaviours that a module exports. */
function toSpread({ project, valueOf }: Entry, isIncluded: (name: string) => boolean): string[] {
  // The worker itself leaves out `sessions`.
  const names = (project.config.use ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== 'sessions')
  const included = new Set(names.filter(isIncluded))
  const excluded = [...new Set(names)].filter((name) => !included.has(name))
  const use = valueOf('use')
  if (included.size === 0) return []
  if (excluded.length === 0) return [`...${use}`]
  // The test excludes names, so that behaviours that the configuration gets later are in the worker too.
  const test = included.has('proxy') ? "name === 'proxy'" : `!${toSource(excluded)}.includes(name)`
  return [`...${use}.filter(({ name }) => ${test})`]
}

/** The behaviours of schemas and scenarios in the folders of fixtures. */
function fromFiles(entry: Entry): string[] {
  const { config } = entry.project
  const schemas = toSchemas(entry)
  const isOwn = config.use?.some(({ name }) => name === 'scenarios')
  const sets = isOwn ? undefined : toScenarioSets(entry)
  if (isOwn && Object.keys(entry.project.files.scenarios).length > 0) {
    entry.omitted.push('the folder _scenarios (please copy its scenarios to "sets" of scenarios())')
  }
  if (isOwn && config.scenario !== undefined) {
    entry.omitted.push('the option "scenario" (please copy it to "active" of scenarios())')
  }
  const active = config.scenario === undefined ? '' : `, active: ${entry.valueOf('scenario')}`
  return [
    ...(schemas === undefined ? [] : [call(entry, 'schema', schemas)]),
    ...(sets === undefined ? [] : [call(entry, 'scenarios', `{ sets: ${sets}${active} }`)]),
  ]
}
