import type { Send, MockContext } from '../http/contract/behaviour.ts'
import { configError } from '../errors/mock-error.ts'
import { type AnyMock, brand } from '../http/contract/any-mock.ts'
import type { FileFolder } from '../fixtures/file-folder.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import { type Clock, type MovableClock, toMovableClock } from '../time/clock.ts'
import { checkConfig, type MockConfig } from './config.ts'
import { type CoreConfig, toCoreConfig } from './core-config.ts'
import type { Db } from '../types/db-types.ts'
import { createDb } from './db.ts'
import { createBehaviours, createDescriptions, descriptionsOf, type OpenMap } from './behaviours.ts'
import { reloadAll } from '../store/reload.ts'
import { copyFixture, type FixtureSource, isSource, toResources } from '../fixtures/fixtures.ts'
import { andThen } from '../http/contract/messages.ts'
import { dropped } from '../http/rules/simulate.ts'
import { createForks } from '../http/pipeline/forks.ts'
import { createPipeline, type Pipeline } from '../http/pipeline/pipeline.ts'
import { createPathHooks, createPaths } from '../http/routing/paths.ts'
import type { Rule, RuleMethod, RulePath } from '../http/rules/rule.ts'
import { createRules, type Rules } from '../http/rules/rules.ts'
import { idFieldOf } from '../fixtures/id-field.ts'
import { clone, type Json } from '../json/json.ts'
import { createLog } from '../log/log.ts'
import { createMockLog } from '../log/log-search.ts'
import { createRedactor, type Redactor } from '../log/redact.ts'
import { createRng, type Random, type Rng } from '../time/random.ts'
import type { OpenApiSource } from '../dialects/contract/openapi-source.ts'
import type { ShapeOf } from '../types/fixture-types.ts'
import { type Change, createSnapshots, createStore, type Store } from '../store/store.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import { rest } from '../dialects/rest/rest.ts'
import type { Service } from '../http/contract/service.ts'
import { toData } from '../http/resource/dialect-data.ts'
import { toLimits } from '../http/contract/limits.ts'
import { createNamedResources, withViewLinks } from '../http/routing/named-resources.ts'
import { createModified } from '../http/response/last-modified.ts'
import { createLinks } from '../store/relations.ts'
import { toBase } from '../url/base.ts'

/** Creates a mock without a face, whose functions `extend` adds. @throws MockError for a wrong configuration or fixture */
export function createCoreMock<Mock extends CoreMock>(
  options: MockOptions<object> | OpenApiMockOptions<object>,
  platform: Platform,
  extend: Extend<Mock>,
): Forkable<Mock> {
  checkConfig(options)
  const { fixtures = {}, openapi, ...given } = options
  const plain = toCoreConfig(openapi?.configure(given) ?? given)
  const { use = [], dialect } = plain
  const config = { ...plain, use: [...(dialect?.use?.(use) ?? []), ...use] }
  // A source gives its data away; plain fixtures are copied, as the caller may change them.
  const own = isSource(fixtures)
    ? toResources(fixtures.data, (value) => value)
    : toResources(fixtures as Record<string, unknown>, copyFixture)
  const described = openapi?.complete(own) ?? own
  const data = dialect?.complete?.(described) ?? described
  const idField = (name: string): string => idFieldOf(config.id, name)
  const rng = createRng(config.seed)
  const { onFailure } = platform
  const store = createStore(data, { idField, load: dialect?.load, onFailure }, rng.next)
  const files = isSource(fixtures) ? fixtures.files : undefined
  const mock = open(store, rng, config, { ...platform, files }, extend)
  if (isSource(fixtures)) mock.follow(fixtures)
  return mock
}

/** A mock without a face: its data, rules, log and pipeline, with the functions for faces. */
export interface CoreMock<Data = Record<string, unknown>> extends Omit<
  MockInternals,
  'fork' | 'db'
> {
  /** Direct access to the data, without a request. */
  readonly db: Db<Data>
  /**
   * Adds a rule for requests of a method and path, which wins over the usual response and over older
   * rules.
   * @example mock.on('GET', '/posts/:id').fail(500, { times: 1 })
   */
  on(method: RuleMethod, path: RulePath<Data>): Rule
  /** The clock, which can be moved: `mock.clock.advance('5s')`; every fork has a clock of its own. */
  readonly clock: MovableClock
  /** Calls the listener after each change, with copies of the records. Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void
}

/** A mock as users see it, without the functions for faces, behaviours and the control API. */
export interface PublicMock<Data = Record<string, unknown>>
  extends
    AnyMock,
    Pick<
      CoreMock<Data>,
      | 'base'
      | 'clock'
      | 'db'
      | 'follow'
      | 'login'
      | 'log'
      | 'on'
      | 'onRequest'
      | 'reset'
      | 'restore'
      | 'routes'
      | 'rules'
      | 'snapshot'
      | 'snapshots'
      | 'snapshotStore'
      | 'subscribe'
    > {}

/** The options of `createMock`: the fixtures, and the configuration of the mock. */
export interface MockOptions<Fixtures extends object> extends MockConfig {
  /** Data by resource name, an eager `import.meta.glob`, or a source that can change. */
  fixtures: Fixtures
}

/** The options of a mock whose source is an OpenAPI document, which needs no fixtures. */
export interface OpenApiMockOptions<Fixtures extends object> extends MockConfig {
  openapi: OpenApiSource
  /** The data of resources, which replaces what the document gives them. */
  fixtures?: Fixtures
}

/** The type of the data in fixtures, which writes through `mock.db` are checked against. */
export type DataOf<Fixtures> = ShapeOf<Fixtures extends FixtureSource<infer Data> ? Data : Fixtures>

/** The functions of a runtime that the core does not import. */
export interface Platform {
  clock: Clock
  /** Encodes a string as UTF-8. */
  encode(text: string): Uint8Array
  /** Sends a POST to another server. */
  send: Send
  /** Opens a stored map for a behaviour; missing without a storage. */
  openMap?: OpenMap
  /** The files beside the fixtures. */
  files?: FileFolder | undefined
  /** Is notified of unexpected errors; `doing` is what failed. */
  onFailure(error: unknown, doing: string): void
}

/** Adds the functions of a face to a mock, and to each of its forks. */
export type Extend<Mock extends CoreMock> = (mock: CoreMock) => Mock

/** A mock whose forks have the functions of the same face. */
export type Forkable<Mock> = Mock & {
  /** A mock with the same data, and with writes, ids and a log of its own. */
  fork(): Forkable<Mock>
}

/** The size of a fork's response cache and of its logged bodies: every session of a client is a fork. */
const FORK_MEMORY = 4 * 1024 * 1024

function open<Mock extends CoreMock>(
  store: Store,
  rng: Rng,
  config: CoreConfig,
  platform: Platform,
  extend: Extend<Mock>,
  origin?: {
    rules: Rules
    contexts: readonly MockContext[]
    clock: MovableClock
    redactor: Redactor
  },
): Forkable<Mock> {
  const clock = origin?.clock ?? toMovableClock(config.clock ?? platform.clock)
  const service = createService(store, config, {
    clock,
    random: rng.next,
    described: createDescriptions(() => behaviours),
  })
  const { base } = service
  const redactor = origin?.redactor ?? createRedactor()
  const { encode, onFailure } = platform
  const log = createLog({
    redactor,
    limit: config.logSize,
    bodyLimit: origin && FORK_MEMORY,
    encode,
    onFailure,
  })
  const snapshots = createSnapshots(store)
  const db = createDb(store, (name) => descriptionsOf(behaviours, name))
  const seeds = createSeeds(rng, config.seed)
  const { contexts, behaviours } = createBehaviours(
    config.use ?? [],
    {
      service,
      db,
      clock,
      send: platform.send,
      log,
      redactor,
      files: platform.files,
      host: () => mock,
    },
    seeds.draw,
    origin?.contexts,
    platform.openMap,
  )
  if (!origin) config.checkData?.(service, (name) => descriptionsOf(behaviours, name))
  const forks = createForks(behaviours)
  const lifetime = createLifetime()
  const { dialect } = config
  const rules = origin?.rules.copy() ?? createRules(base)
  const random = seeds.draw('rules')
  const paths = createPaths(service, behaviours, dialect, () =>
    rules.entries().map((entry) => entry.path),
  )
  // Created with the first request, as many forks answer none.
  let pipeline: Pipeline | undefined
  const toPipeline = (): Pipeline =>
    createPipeline({
      service,
      clock,
      hooks: [...behaviours, ...createPathHooks(service)],
      rules,
      random,
      encode,
      cacheSize: origin && FORK_MEMORY,
      onEnd: lifetime.onEnd,
      onFailure,
      log,
    })

  const core: CoreMock = {
    [brand]: 'mock',
    db,
    store,
    service,
    base,
    get routes() {
      return paths.routes()
    },
    get log() {
      const facts = { base, redactor, rules: rules.list, routes: paths.routes }
      return createMockLog(log.exchanges(), facts)
    },
    onFailure,
    on: rules.on,
    rules,
    clock,
    reset() {
      for (const one of [clock, store, rules, seeds, ...behaviours]) one.reset?.()
      log.clear()
    },
    end() {
      lifetime.end()
      for (const one of behaviours) one.end?.()
    },
    onEnd: lifetime.onEnd,
    snapshot: snapshots.save,
    restore: (name) => store.restore(snapshots.get(name)),
    follow: (source) => follow(source, store, onFailure, dialect?.complete?.(new Map())),
    subscribe: (listener) => store.changes.subscribe((change) => listener(clone(change))),
    onRequest: log.subscribe,
    onExchange: log.follow,
    exchanges: log.exchanges,
    redactor,
    handle(request, access) {
      const fork = forks.find(request)
      if (fork) return fork.mock.handle({ ...request, diverted: fork.diverted }, access)
      pipeline ??= toPipeline()
      return core.afterPersisted(pipeline(request, access))
    },
    async login(user, options = {}) {
      const hook = behaviours.find(({ login }) => login)?.login
      if (hook) return hook(user, options)
      throw configError('Failed to log in: no behaviour issues tokens. Please add oidc() to "use".')
    },
    afterPersisted(answered) {
      const { background } = core
      if (!background) return answered
      return andThen(answered, (response) => {
        const settled = background.settled()
        if (!settled) return response
        return settled.then(
          () => response,
          () => dropped,
        )
      })
    },
    behaviours,
    dialect,
    snapshots: snapshots.names,
    snapshotStore: snapshots.get,
    removeSnapshot: snapshots.remove,
    addToLog: log.insert,
    clearLog: log.clear,
    limits: service.limits,
    reroute: paths.reroute,
    owns(path, search = '') {
      const fork = forks.find()
      if (fork) return fork.mock.owns(path, search)
      return paths.owns(path, search)
    },
    divert: forks.add,
  }
  const fork = (): Forkable<Mock> => {
    const own = createRng(config.seed)
    const from = { rules, contexts, clock: clock.fork(), redactor }
    return open(store.fork(own.next), own, config, platform, extend, from)
  }
  const mock = Object.assign(extend(core), { fork })
  return mock
}

/** Creates the random numbers of a mock: those of ids, and those of each name, which are independent of others. */
function createSeeds(ids: Rng, seed: MockConfig['seed']): Seeds {
  const rngs: Rng[] = [ids]
  return {
    draw(name) {
      const rng = createRng(seed === undefined ? undefined : `${seed} ${name}`)
      rngs.push(rng)
      return rng.next
    },
    reset() {
      for (const rng of rngs) rng.reset()
    },
  }
}

interface Seeds {
  /** Creates the random numbers of a name: the same for the same seed. */
  draw(name: string): Random
  reset(): void
}

/** Loads each change of a source into a store at once; a removed resource gets its data of `own`. Returns the end. */
function follow(
  source: FixtureSource,
  store: Store,
  onFailure: (error: unknown, doing: string) => void,
  own?: ReadonlyMap<string, Json>,
): () => void {
  return source.subscribe((changed, report) => {
    try {
      const all = Object.entries(changed).map(([name, value]) => [name, value ?? own?.get(name)])
      const conflicts = reloadAll(store, own ? Object.fromEntries(all) : changed)
      if (conflicts.length > 0) report?.(conflicts)
    } catch (error) {
      onFailure(error, `take over "${Object.keys(changed).join(', ')}"`)
    }
  })
}

/** Creates the lifetime of a mock or fork, which lasts until `end`, as when a session expires. */
function createLifetime(): Lifetime {
  const callbacks = new Set<() => void>()
  let isOver = false
  return {
    end() {
      isOver = true
      for (const callback of callbacks) callback()
      callbacks.clear()
    },
    onEnd(callback) {
      if (isOver) callback()
      else callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
  }
}

/** The end of a mock or fork, of which callbacks are notified. */
interface Lifetime {
  end(): void
  /** Calls back at the end, at once if it has come. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void
}

/** Creates the `Service` of a mock or fork: store, dialect, limits and settings of all requests. */
function createService(
  store: Store,
  config: CoreConfig,
  given: Pick<Service, 'clock' | 'random' | 'described'>,
): Service {
  const { strict = false, readOnly = false, preconditions = false } = config
  const { relations = {}, foreignKeySuffix } = config
  const dialect: Dialect = config.dialect ?? rest
  const suffix = foreignKeySuffix ?? dialect.foreignKeySuffix
  return {
    base: toBase(config.base),
    dialect,
    dataOf: toData,
    store,
    links: withViewLinks(createLinks(store, relations, suffix), config.rules),
    relations,
    foreignKeySuffix,
    ...given,
    limits: toLimits(config),
    strict,
    readOnly,
    modifiedOf: createModified(store.changes, given.clock),
    cacheControl: config.cacheControl,
    preconditions,
    resources: createNamedResources(store, config.rules),
    rules: config.rules,
  }
}
