import { toToken } from '../../core/json/pointer.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { createTextMap, type Place } from '../text/code-frame.ts'
import type { FixtureFile } from '../discover/discover.ts'
import type { Problem } from './shape.ts'
import { createLocator } from '../text/spans.ts'

/**
 * Turns problems inside a file into diagnostics with line, column and code frame.
 * Without a text (what a module returns stands nowhere) the path of keys takes the place's part.
 */
export function diagnose(
  file: FixtureFile,
  problems: readonly Problem[],
  text?: string,
): Diagnostic[] {
  if (text === undefined) return problems.map((problem) => toDiagnostic(file, problem, toPointer))
  const map = createTextMap(text)
  const locate = createLocator(text)
  const placeOf = (path: Problem['path']): Place => map.place(locate(path).start)
  return problems.map((problem) => {
    const place = placeOf(problem.path)
    const diagnostic = toDiagnostic(file, problem, (path) => {
      const { line, column } = placeOf(path)
      return `${line}:${column}`
    })
    return { ...diagnostic, ...place, frame: map.frame(place) }
  })
}

/** A file that does not parse, with the place where the parser gave up if that is known. */
export function diagnoseSyntax(
  file: FixtureFile,
  text: string,
  found: { problem: string; advice: string; offset?: number; place?: Place },
): Diagnostic {
  const map = createTextMap(text)
  const place = found.offset === undefined ? found.place : map.place(found.offset)
  const diagnostic = toDiagnostic(file, { ...found, severity: 'error', path: [] }, toPointer)
  return place ? { ...diagnostic, ...place, frame: map.frame(place) } : diagnostic
}

/** A file whose bytes are no text, as those of another encoding. */
export function diagnoseEncoding({ label }: FixtureFile): Diagnostic {
  const message = `Failed to read "${label}": it is not UTF-8 text.`
  return { severity: 'error', file: label, message, advice: 'Please save it as UTF-8.' }
}

function toDiagnostic(
  file: FixtureFile,
  { severity, problem, advice, first, path }: Problem,
  toWords: (path: Problem['path']) => string,
): Diagnostic {
  const isUnplaced = toWords === toPointer && path.length > 0
  const where = isUnplaced ? ` (at ${toPointer(path)})` : ''
  const words = problem.replace('{first}', () => toWords(first ?? []))
  const message = `Failed to load "${file.label}": ${words}${where}.`
  return { severity, file: file.label, message, advice }
}

/** RFC 6901, for what stands in no text. */
function toPointer(path: Problem['path']): string {
  return path.map((key) => `/${toToken(key)}`).join('')
}
