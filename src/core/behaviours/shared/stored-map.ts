import type { World } from '../../http/contract/behaviour.ts'

/**
 * Opens a map with state of a behaviour. Where the mock has storage, the entries outlive the process; elsewhere
 * the map is empty at the start.
 */
export function openStored<Value>(
  { stored }: Pick<World, 'stored'>,
  name: string,
): Map<string, Value> {
  return stored?.<Value>(name) ?? new Map()
}

/**
 * The most characters of requests, responses and past events that a behaviour keeps: 64 MiB, and 4 MiB where the mock
 * has storage, as an object of a worker has little memory and reads its whole storage when it starts.
 */
export function memoryLimit({ stored }: Pick<World, 'stored'>): number {
  return (stored ? 4 : 64) * 1024 * 1024
}
