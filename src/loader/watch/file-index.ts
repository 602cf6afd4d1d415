import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from './scanner.ts'

/** Creates the search for the fixture file from which a resource is served. */
export function createFileIndex(scanner: Scanner): (name: string) => LoadedFile | undefined {
  /** The paths of the files by resource name, for the result of a scan. */
  let index: { of: unknown; paths: Map<string, string> } | undefined
  return (name) => {
    const current = scanner.current()
    if (index?.of !== current) {
      const paths = new Map<string, string>()
      for (const { path, sources } of current.files.values()) {
        for (const source of sources) if (scanner.isServed(source)) paths.set(source.name, path)
      }
      index = { of: current, paths }
    }
    return current.files.get(index.paths.get(name) ?? '')
  }
}
