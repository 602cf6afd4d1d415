import type { AnyResource } from './db-types.ts'
import type { Json } from '../json/json.ts'

/**
 * Derives from the type of the fixtures the type that writes through `mock.db` are checked against.
 * TypeScript infers exact types from imported JSON and literals; `ShapeOf` widens these types: records with
 * different fields become one type with optional fields, a field that is always null accepts any JSON, an
 * empty array accepts any JSON, and `as const` data loses its literal types. Declared types are unchanged.
 */
export type ShapeOf<Data> = { [Name in keyof Data]: ResourceOf<Exclude<Data[Name], undefined>> }

type ResourceOf<T> =
  IsUnknown<T> extends true
    ? AnyResource
    : T extends readonly (infer Item)[]
      ? [Item] extends [never]
        ? never[]
        : ValueOf<Item, IsTuple<T>>[]
      : ValueOf<T, IsReadonly<T>>

/** The widened type of a value; `Const` is true for `as const` data. */
type ValueOf<T, Const extends boolean> =
  IsUnknown<T> extends true
    ? T
    : [Exclude<T, undefined>] extends [null]
      ? Json
      :
          | PlainOf<T, Const>
          | ListOf<Extract<T, readonly unknown[]>, Const>
          | ObjectOf<ObjectIn<T>, Const>

type PlainOf<T, Const extends boolean> = T extends string
  ? Const extends true
    ? string
    : T
  : T extends number
    ? Const extends true
      ? number
      : T
    : T extends boolean
      ? Const extends true
        ? boolean
        : T
      : T extends HasToJson<infer Value>
        ? Value
        : Extract<T, null>

type ListOf<T extends readonly unknown[], Const extends boolean> = [T] extends [never]
  ? never
  : [T[number]] extends [never]
    ? Json[]
    : Const | IsTuple<T> extends false
      ? ValueOf<T[number], false>[]
      : Const extends true
        ? ValueOf<T[number], true>[]
        : T

type ObjectOf<T, Const extends boolean> = [T] extends [never]
  ? never
  : Const extends true
    ? Merged<T, true>
    : true extends IsUnion<T>
      ? HasLiteral<T> extends true
        ? T
        : Merged<T, false>
      : LastOf<T> extends infer One
        ? { [Key in keyof One]: ValueOf<One[Key], false> }
        : never

/** Merges a union of object types; a field missing from some of them becomes optional. */
type Merged<T, Const extends boolean> =
  MergedParts<T, Const> extends infer Parts ? { [Key in keyof Parts]: Parts[Key] } : never

type MergedParts<T, Const extends boolean> = {
  [Key in KeysIn<T> as undefined extends At<T, Key> ? never : Key]: ValueOf<At<T, Key>, Const>
} & {
  [Key in KeysIn<T> as undefined extends At<T, Key> ? Key : never]?: ValueOf<At<T, Key>, Const>
}

/** The object types of a union; branded strings and numbers also extend `object` and are excluded. */
type ObjectIn<T> = T extends object
  ? T extends readonly unknown[] | HasToJson<unknown> | string | number | boolean
    ? never
    : T
  : never
/** A value with its own JSON form, such as a `Date`. */
interface HasToJson<Value> {
  toJSON(): Value
}
type KeysIn<T> = T extends unknown ? keyof T : never
type At<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : undefined) : never
type IsUnknown<T> = unknown extends T ? true : false
type IsTuple<T extends readonly unknown[]> = number extends T['length'] ? false : true
type IsUnion<T, All = T> = T extends unknown ? (IsSame<All, T> extends true ? false : true) : never

/** Picks a member of a union of identical types. */
type LastOf<T> =
  FunctionsOf<T> extends (one: infer All) => void
    ? All extends () => infer Last
      ? Last
      : never
    : never
type FunctionsOf<T> = T extends unknown ? (one: () => T) => void : never

/** Whether a field has a literal string or number type, which inferred JSON types never have. */
type HasLiteral<T> = true extends LiteralIn<T> ? true : false
type LiteralIn<T> = T extends unknown ? { [Key in keyof T]-?: IsLiteral<T[Key]> }[keyof T] : never
type IsLiteral<T> = T extends string
  ? string extends T
    ? false
    : true
  : T extends number
    ? number extends T
      ? false
      : true
    : false

type IsReadonly<T> = IsSame<T, Readonly<T>>
/** Compares generic functions, as the compiler checks only these for identity, including modifiers and unions. */
type IsSame<A, B> = Probe<A> extends Probe<B> ? true : false
// oxlint-disable-next-line no-unnecessary-type-parameters -- The single use is compared.
type Probe<A> = <T>() => T extends A ? 1 : 2
