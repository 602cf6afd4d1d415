import type { MockContext } from '../../http/contract/behaviour.ts'

/**
 * Opens a map in which a behaviour keeps state, such as tokens or counts. If the mock has storage, the entries
 * outlive the process; otherwise the map is empty at the start.
 */
export function openStored<Value>(
  { stored }: Pick<MockContext, 'stored'>,
  name: string,
): Map<string, Value> {
  return stored?.<Value>(name) ?? new Map()
}

/**
 * Returns the most characters of requests, responses and past events that a behaviour keeps: 64 MiB, or 4 MiB
 * if the mock has storage, because an object of a worker has little memory and reads its whole storage when it
 * starts.
 */
export function memoryLimit({ stored }: Pick<MockContext, 'stored'>): number {
  return (stored ? 4 : 64) * 1024 * 1024
}
