import type { JsonRecord } from '../json/json.ts'

/** The options of `mock.db.posts.find`: the filter, the order of the records, and the part of the list to return. */
export interface FindOptions<T = JsonRecord> {
  /** A filter: a tree of `and`, `or`, `not` and fields: `{ views: { gt: 1 } }`, `{ title: 'x' }`. */
  where?: FindWhere<T>
  /** A full-text search, ignoring case, as the parameter `q` of `rest`: in any value of a record, at any depth. */
  search?: string
  /** The order: field names, with a minus for descending: `'-views,title'`. */
  sort?: FindSort<T> | readonly FindSort<T>[]
  /** The most records to return. @default all */
  limit?: number
  /** How many records to skip. @default 0 */
  offset?: number
}

/** A tree of conditions on the fields of `T` and on paths inside of them, such as `'author.name'`. */
export type FindWhere<T = JsonRecord> =
  string extends NameOf<T>
    ? AnyWhere
    : { readonly [Field in Exclude<FieldOf<T>, 'and' | 'or' | 'not'>]?: FindCondition } & {
        readonly and?: readonly FindWhere<T>[]
        readonly or?: readonly FindWhere<T>[]
        readonly not?: FindWhere<T>
      }

/** A tree of conditions on records of any fields. */
interface AnyWhere {
  readonly [field: string]: FindCondition | AnyWhere | readonly AnyWhere[]
}

/** A value, a list of values of which any matches, or values by operator: `{ gte: 1, lt: 9 }`. */
export type FindCondition =
  | FindValue
  | readonly FindValue[]
  | { readonly [Name in FindOperator]?: FindValue | readonly FindValue[] }

type FindValue = string | number | boolean | null | undefined

/** The names of the operators of a filter. */
export type FindOperator =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'nin'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'like'
  | 'exists'

/** A field to sort by, with a minus for descending, or several with commas between them. */
export type FindSort<T = JsonRecord> = SortField<T> | `${SortField<T>},${string}`

type SortField<T> = FieldOf<T> | `-${FieldOf<T>}`

/** A field of any of the types in a union, or a path that begins with such a field. */
type FieldOf<T> = NameOf<T> | `${NameOf<T>}.${string}`

type NameOf<T> = T extends unknown ? keyof T & string : never

/** A type that is not inferred from arguments; TypeScript has `NoInfer` since 5.4. */
export type Uninferred<T> = [T][T extends unknown ? 0 : never]
