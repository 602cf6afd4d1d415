import { stat } from 'node:fs/promises'

/**
 * Whether a file or a folder exists at a path. Resolves to false if `stat` fails for any reason, such as a
 * missing permission or a broken link.
 */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
