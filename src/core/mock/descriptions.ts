import type { Hooks } from '../http/contract/behaviour.ts'
import { ownValue } from '../json/json.ts'
import type { RecordDescription } from '../types/record-description.ts'

/**
 * Returns what the behaviours of a mock declare about the records of a resource, such as types and required
 * fields, in the order of `use`.
 */
export function descriptionsOf(
  behaviours: readonly Pick<Hooks, 'describe'>[],
  resource: string,
): RecordDescription[] {
  return behaviours.flatMap((one) => ownValue(one.describe?.().records ?? {}, resource) ?? [])
}
