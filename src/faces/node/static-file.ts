import { realpathSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/**
 * Finds the file in a static folder that a decoded URL path names: the file itself, `index.html` of a folder,
 * or the file with the extension `.html`. With `followsLinks`, a symbolic link may lead out of the folder.
 */
export function findStaticFile(
  folder: string,
  path: string,
  followsLinks: boolean,
): StaticFile | undefined {
  const base = path.replace(/\/$/, '')
  for (const extension of ['', '.html', '.htm']) {
    for (const name of [base + extension, `${base}/index${extension}`]) {
      // The path of the folder itself is empty, which names no file.
      if (name === extension) continue
      const file = join(folder, name)
      const stats = orUndefined(() => statSync(file))
      if (!stats?.isFile() || !isInside(file, folder)) continue
      if (followsLinks || orUndefined(() => isInside(realpathSync(file), realpathSync(folder)))) {
        return { path: file, stats }
      }
    }
  }
  return undefined
}

/** A file in a static folder. */
export interface StaticFile {
  path: string
  stats: Stats
}

/** Returns undefined for a path that names no file, or that cannot be the path of a file. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file)
  return path.split(sep, 1)[0] !== '..' && !isAbsolute(path)
}
