import { stat } from 'node:fs/promises'

/** Whether a file or a folder exists at a path. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
