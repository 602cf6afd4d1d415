import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'

/** Creates a function that returns the file that holds a resource, by the resource's name. */
export function createFileIndex(scanner: Scanner): (name: string) => LoadedFile | undefined {
  /** The files by resource name, for the result of a scan. */
  let index: { of: unknown; files: Map<string, LoadedFile> } | undefined
  return (name) => {
    const current = scanner.current()
    if (index?.of !== current) {
      const files = new Map<string, LoadedFile>()
      for (const file of current.files.values()) {
        for (const source of file.sources) {
          if (scanner.isServed(source)) files.set(source.name, file)
        }
      }
      index = { of: current, files }
    }
    return index.files.get(name)
  }
}
