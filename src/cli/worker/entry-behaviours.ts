import { isRecord } from '../../core/json/json.ts'
import { toSchemas, toScenarioSets } from './entry-fixtures.ts'
import type { Entry } from './entry-parts.ts'
import { toSource, toSourceWith, wrap } from './to-source.ts'

/** The dialect, if it is another than the default. */
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

/** The behaviours of the configuration and its files, in the order of a server; undefined without behaviours. */
export function toUse(entry: Entry): string | undefined {
  const { routes, delay, proxy } = entry.project.config
  const first = [
    ...(routes === undefined ? [] : [call(entry, 'rewrite', toRules(entry))]),
    ...(delay === undefined ? [] : [call(entry, 'delay', entry.valueOf('delay'))]),
  ]
  const last =
    proxy === undefined ? [] : [call(entry, 'proxy', `{ to: ${entry.valueOf('proxy')} }`)]
  const replaced = [
    'sessions',
    ...(routes === undefined ? [] : ['rewrite']),
    ...(delay === undefined ? [] : ['delay']),
    ...(proxy === undefined ? [] : ['proxy']),
  ]
  const own =
    entry.project.module === undefined ? toCalls(entry, replaced) : toSpread(entry, replaced)
  const parts = [...first, ...own, ...fromFiles(entry), ...last]
  if (parts.length === 0) return undefined
  const [only = ''] = parts
  return parts.length === 1 && only.startsWith('...') ? only.slice(3) : wrap('[]', parts, '    ')
}

/** The options of the sessions, which are an option of the worker. */
export function toSessions({ project, valueOf, omitted }: Entry): string | undefined {
  const { config, use } = project
  const ttl = config.sessionTtl === undefined ? {} : { ttl: valueOf('sessionTtl') }
  if (project.module !== undefined && config.use?.some(({ name }) => name === 'sessions')) {
    omitted.push('the options of sessions() (please copy them to "sessions" of createWorker)')
  }
  const text = toSourceWith(isRecord(use['sessions']) ? use['sessions'] : {}, ttl, '    ')
  return text === '{}' ? undefined : text
}

/** `json-server-1` is exported as `jsonServer1`. */
function toExportName(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, next: string) => next.toUpperCase())
}

function call({ imports }: Entry, name: string, options: string): string {
  return `${imports.named('fixtura/behaviours', name)}(${options})`
}

/** The rules of `routes`, or the file that contains them. */
function toRules({ project, imports, valueOf }: Entry): string {
  const { routes } = project.config
  return typeof routes === 'string' ? imports.file(routes, 'rewrite rules') : valueOf('routes')
}

/** The calls that create the behaviours of a configuration in JSON. */
function toCalls(entry: Entry, replaced: readonly string[]): string[] {
  return Object.entries(entry.project.use)
    .filter(([name, options]) => options !== false && !replaced.includes(name))
    .map(([name, options]) =>
      call(entry, name, options === true ? '' : toSource(options, '      ')),
    )
}

/** The behaviours that a module exports. */
function toSpread({ project, valueOf }: Entry, replaced: readonly string[]): string[] {
  const names = (project.config.use ?? []).map(({ name }) => name)
  if (names.length === 0) return []
  const gone = replaced.filter((name) => name !== 'sessions' && names.includes(name))
  if (gone.length === 0) return [`...${valueOf('use')}`]
  return [`...${valueOf('use')}.filter(({ name }) => !${toSource(gone)}.includes(name))`]
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
  const active = config.scenario === undefined ? '' : `, active: ${entry.valueOf('scenario')}`
  return [
    ...(schemas === undefined ? [] : [call(entry, 'schema', schemas)]),
    ...(sets === undefined ? [] : [call(entry, 'scenarios', `{ sets: ${sets}${active} }`)]),
  ]
}
