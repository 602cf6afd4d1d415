import type { Data, Dialect, RenderContext } from '../../dialects/contract/dialect.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { SortKey } from '../../query/tree.ts'
import type { Links } from '../../store/relations.ts'
import type { Store } from '../../store/store.ts'
import type { RecordDescription } from '../../types/record-description.ts'
import type { Clock } from '../../time/clock.ts'
import type { Random } from '../../time/random.ts'
import type { Resource } from '../../store/records/resource.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Limits } from './limits.ts'

/** The parts of a mock that all its requests share: the data, the dialect, the limits and other settings. */
export interface Service {
  /** The path prefix of all resources (option `base`), or an empty string. */
  base: string
  dialect: Dialect
  /** Returns the data as a request sees it, for the functions of the dialect. */
  dataOf(exchange: RenderContext): Data
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
  /** The types, defaults and required fields that behaviours declare for records; the same array in every call. */
  described(resource: string): readonly RecordDescription[]
  /** Whether an unknown parameter is an error instead of being ignored. */
  strict: boolean
  readOnly: boolean
  /** The `Last-Modified` of a record; undefined if the record does not say when it was changed. */
  modifiedOf(record: JsonRecord): string | undefined
  /** The `Cache-Control` of all resources, or of each with a `default`. */
  cacheControl: string | Readonly<Record<string, string>> | undefined
  /** The resources that paths name: those of the store, and views of them. */
  resources: NamedResources
  /** The settings of the option `resources` for requests, by resource. */
  rules: Readonly<Record<string, ResourceRules>>
  /** The resources that require a precondition on writes: all, or the named ones. */
  preconditions: boolean | readonly string[]
}

/** The resources that paths name: those of a store, and the views and lists of values made of collections. */
export interface NamedResources {
  get(name: string): Resource | undefined
  names(): string[]
  /** The collection that holds the records: of a view, the collection that it shows. @throws MockError 404 */
  stored(name: string): Collection
}

/** The settings of the option `resources` for the requests of a resource. */
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
  /** The collection whose records the resource shows, and the field by which paths name them; undefined for its id. */
  view?: { of: string; key: string | undefined }
  /** The field whose distinct values the resource lists. */
  distinct?: DistinctRule
  /** The actions that are open to users who do not own the record: `POST favorite`. */
  openActions?: readonly string[]
}

/** A field of a collection whose distinct values a resource lists. */
export interface DistinctRule {
  of: string
  path: Path
}
