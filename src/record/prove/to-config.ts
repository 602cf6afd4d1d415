import { define, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { LearnedOption } from '../../core/learn/learned.ts'

/** Combines learned options and a dialect into one configuration, as a configuration file has it. */
export function toConfigObject(
  options: readonly Pick<LearnedOption, 'path' | 'value'>[],
  dialect: Json | undefined,
): JsonRecord {
  const config: JsonRecord = {}
  for (const { path, value } of options) {
    let object = config
    for (const key of path.slice(0, -1)) {
      if (!Object.hasOwn(object, key)) define(object, key, {})
      object = object[key] as JsonRecord
    }
    define(object, path.at(-1) ?? '', value)
  }
  return dialect === undefined ? config : { ...config, dialect }
}
