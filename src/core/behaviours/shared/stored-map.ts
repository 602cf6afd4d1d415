import type { World } from '../../http/contract/behaviour.ts'

/**
 * Opens a map with state of a behaviour. Where the mock has storage, the entries outlive the process; elsewhere
 * the map is empty at the start.
 */
export function openStored<Value>({ stored }: World, name: string): Map<string, Value> {
  return stored?.<Value>(name) ?? new Map()
}
