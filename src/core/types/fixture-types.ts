import type { AnyResource } from './db-types.ts'
import type { Json } from '../json/json.ts'

/**
 * The types of fixture data as writes are to be checked by. TypeScript reads an imported JSON file,
 * or data in the code, as exactly what stands there; this makes of it what may stand there: records
 * of different fields become one type with optional fields, a field that is never anything but null
 * takes any JSON, an empty list takes any JSON, and what is `as const` loses its literals. Declared
 * types stay as they are.
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

/** What may stand where that value stands. `Const` says whether it is `as const`. */
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
      : T extends Written<infer Value>
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

/** One type for objects of several: a field that not all of them have is optional. */
type Merged<T, Const extends boolean> =
  MergedParts<T, Const> extends infer Parts ? { [Key in keyof Parts]: Parts[Key] } : never

type MergedParts<T, Const extends boolean> = {
  [Key in KeysIn<T> as undefined extends At<T, Key> ? never : Key]: ValueOf<At<T, Key>, Const>
} & {
  [Key in KeysIn<T> as undefined extends At<T, Key> ? Key : never]?: ValueOf<At<T, Key>, Const>
}

/** A text or number with a brand is an object, too. */
type ObjectIn<T> = T extends object
  ? T extends readonly unknown[] | Written<unknown> | string | number | boolean
    ? never
    : T
  : never
/** What JSON writes in its own way, as a date becomes a text. */
interface Written<Value> {
  toJSON(): Value
}
type KeysIn<T> = T extends unknown ? keyof T : never
type At<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : undefined) : never
type IsUnknown<T> = unknown extends T ? true : false
type IsTuple<T extends readonly unknown[]> = number extends T['length'] ? false : true
type IsUnion<T, All = T> = T extends unknown ? (IsSame<All, T> extends true ? false : true) : never

/** One of several types that are the same. */
type LastOf<T> =
  FunctionsOf<T> extends (one: infer All) => void
    ? All extends () => infer Last
      ? Last
      : never
    : never
type FunctionsOf<T> = T extends unknown ? (one: () => T) => void : never

/** Whether it has a field whose type is a certain text or number, as no type of JSON has. */
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
/** Only functions of a type parameter are compared by identity, modifiers and unions included. */
type IsSame<A, B> = Probe<A> extends Probe<B> ? true : false
// oxlint-disable-next-line no-unnecessary-type-parameters -- its one use is what is compared.
type Probe<A> = <T>() => T extends A ? 1 : 2
