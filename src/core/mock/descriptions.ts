import type { Hooks } from '../http/contract/hooks.ts'
import { ownValue } from '../json/json.ts'
import type { RecordDescription } from '../types/record-description.ts'

/**
 * Returns the descriptions of a resource's records, such as types and required fields, which the behaviours of
 * a mock give in `describe`, in the order of `use`.
 */
export function descriptionsOf(
  behaviours: readonly Pick<Hooks, 'describe'>[],
  resource: string,
): RecordDescription[] {
  return behaviours.flatMap((one) => ownValue(one.describe?.().records ?? {}, resource) ?? [])
}
