import {
  type Check,
  isEither,
  isFlag,
  isListOf,
  isName,
  isObject,
  isOneOf,
} from '../../errors/check.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import { isTimestamps, type Timestamps } from './timestamps.ts'

/**
 * The options of `fields` for one resource: its required, read-only and unique fields, the defaults of
 * missing fields, and automatic timestamps.
 */
export interface FieldOptions {
  /** Fields that must be present and not null. */
  required?: readonly string[]
  /**
   * Whether an empty text fulfils `required`, as in JSON Schema, or is refused, as in an HTML form.
   * @default 'allow'
   */
  onEmpty?: 'allow' | 'refuse'
  /**
   * Values for fields that a POST or a PUT leaves out. A function that returns undefined leaves the field
   * out.
   */
  defaults?: Readonly<Record<string, Json | ((record: JsonRecord) => Json | undefined)>>
  /** Fields that requests cannot set. */
  readOnly?: readonly string[]
  /** Whether the mock ignores a read-only field in a request or responds with 422. @default 'ignore' */
  onReadOnly?: 'ignore' | 'refuse'
  /** Fields, or groups of fields, whose values no two records share. Missing fields and null are not compared. */
  unique?: readonly (string | readonly string[])[]
  /** Whether records get `createdAt` and `updatedAt`. @default false */
  timestamps?: boolean | Timestamps
}

const isNames = isListOf(isName)

/** The checks of {@link FieldOptions}. */
export const fieldChecks: Readonly<Record<keyof FieldOptions, Check>> = {
  required: isNames,
  onEmpty: isOneOf('allow', 'refuse'),
  defaults: isObject,
  readOnly: isNames,
  onReadOnly: isOneOf('ignore', 'refuse'),
  unique: isListOf(isEither(isName, isNames)),
  timestamps: isEither(isFlag, isTimestamps),
}
