import type { DialectDescription } from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { isCopyOf } from '../shared/is-copy-of.ts'
import type { Rendering } from './render.ts'

/** Describes a dialect that `rest` has created; undefined for a dialect with other functions. */
export function describeNames(
  dialect: Dialect,
  original: Dialect,
  _: Rendering,
): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  return undefined
}
