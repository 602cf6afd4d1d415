import type { Dialect } from '../../dialects/contract/dialect.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { SortKey } from '../../query/tree.ts'
import type { Links } from '../../store/relations.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../time/clock.ts'
import type { Random } from '../../time/random.ts'
import type { Limits } from './limits.ts'

/** The parts of a mock that all its requests share: the data, the dialect, the limits and other settings. */
export interface Service {
  /** The path prefix of all resources (option `base`), or an empty string. */
  base: string
  dialect: Dialect
  store: Store
  links: Links
  /** The configured relations, which `links` includes; for dialects that relate records themselves. */
  relations: RelationOptions
  /** The configured suffix of foreign keys. */
  foreignKeySuffix: string | undefined
  clock: Clock
  /** Random numbers for dialects that generate ids. */
  random: Random
  limits: Limits
  /** Whether an unknown parameter is an error instead of being ignored. */
  strict: boolean
  readOnly: boolean
  /** The `Last-Modified` of a record; undefined if the record does not say when it was changed. */
  modifiedOf(record: JsonRecord): string | undefined
  /** The `Cache-Control` of all resources, or of each with a `default`. */
  cacheControl: string | Readonly<Record<string, string>> | undefined
  /** What the option `resources` says about requests, by resource. */
  rules: Readonly<Record<string, ResourceRules>>
  /** The resources that require a precondition on writes: all, or the named ones. */
  preconditions: boolean | readonly string[]
}

/** What the option `resources` says about the requests of a resource. */
export interface ResourceRules {
  /** The order of a list whose request names none. */
  sort?: readonly SortKey[]
  /** Names of filters besides the fields. */
  filters?: readonly string[]
  /** The allowed methods: all if undefined. */
  methods?: readonly string[]
  /** Whether only nested paths serve the collection. */
  nested?: boolean
  /** Fields that no response has. */
  hidden?: readonly string[]
  /** The actions that are open to users who do not own the record: `POST favorite`. */
  openActions?: readonly string[]
}
