import type { JsonRecord } from './json.ts'

const limits = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/** Writes the flags of draft 4 that make `minimum` and `maximum` exclusive as the limits of later drafts. */
export function withExclusiveLimits(schema: JsonRecord): JsonRecord {
  const converted = { ...schema }
  for (const [inclusive, exclusive] of limits) {
    const { [inclusive]: limit, [exclusive]: flag } = schema
    if (typeof flag !== 'boolean') continue
    delete converted[exclusive]
    if (!flag || limit === undefined) continue
    converted[exclusive] = limit
    delete converted[inclusive]
  }
  return converted
}
