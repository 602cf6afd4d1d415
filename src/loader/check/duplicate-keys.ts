import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { isProgram, type LoadedFile, readText } from '../read/read-file.ts'
import { childSpans, rootSpan } from '../text/spans.ts'
import { diagnose } from './diagnose.ts'
import { firstOfEach, type Problem } from './problem.ts'

/** Warns of keys that occur twice in an object, of which only the last is loaded; reads the texts anew. */
export async function findDuplicateKeys(files: Iterable<LoadedFile>): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    if (isProgram(file) || file.diagnostics.some(isError)) continue
    const text = await readText(file)
    if (text !== undefined) diagnostics.push(...diagnose(file, findIn(text), text))
  }
  return diagnostics
}

function findIn(text: string): Problem[] {
  const problems: Problem[] = []
  /** The path of the value that is searched. */
  const path: Problem['path'] = []
  function search(at: number): void {
    const seen = new Set<Problem['path'][number]>()
    for (const { key, start } of childSpans(text, at)) {
      path.push(key)
      if (seen.has(key)) problems.push(toProblem(path, key))
      seen.add(key)
      search(start)
      path.pop()
    }
  }
  search(rootSpan(text).start)
  return firstOfEach(problems)
}

function toProblem(path: Problem['path'], key: Problem['path'][number]): Problem {
  return {
    severity: 'warning',
    path: [...path],
    problem: `the key "${key}" occurs more than once in an object, so that only the last value is loaded`,
    advice: 'Please remove or rename one of the keys.',
  }
}
