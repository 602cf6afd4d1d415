import type { Diagnostic } from '../core/fixtures/source.ts'
import { checkRecords } from './check-records.ts'
import { filesOf } from './load-mock.ts'

/**
 * Creates a function that finds the records of a loaded mock's fixtures that break their schemas: of all
 * resources, or of some. Each search returns the problems that the earlier searches did not find.
 */
export function createInvalidRecords(
  mock: object,
): (names?: ReadonlySet<string>) => Promise<Diagnostic[]> {
  const loaded = filesOf(mock)
  let known: Diagnostic[] = []
  return async (names) => {
    if (!loaded) return []
    const { id, use } = loaded.config
    const files = loaded.source.scanner.current()
    const found = await checkRecords(files, {
      id,
      use,
      maxReported: MAX_REPORTED,
      ...(names && { names }),
    })
    const texts = new Set(known.map((problem) => JSON.stringify(problem)))
    const isChecked = ({ file }: Diagnostic): boolean =>
      !names ||
      [...files.files.values()].some(
        ({ label, sources }) => label === file && sources.some(({ name }) => names.has(name)),
      )
    known = [...known.filter((problem) => !isChecked(problem)), ...found]
    return found.filter((problem) => !texts.has(JSON.stringify(problem)))
  }
}

/** The most invalid records of a resource that a server reports one by one. */
const MAX_REPORTED = 5
