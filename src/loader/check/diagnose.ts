import { toPointer } from '../../core/json/pointer.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { createTextMap, type Position } from '../text/code-frame.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { firstOfEach, type Problem } from './problem.ts'
import type { LostDigits } from './lost-digits.ts'
import { createLocator } from '../text/spans.ts'
import type { SqlWarning } from '../text/sql.ts'
import { MockError } from '../../core/errors/mock-error.ts'

/** Adds line, column and code frame to problems; without a text, the JSON Pointer (RFC 6901) instead. */
export function diagnose(
  file: FixtureFile,
  problems: readonly Problem[],
  text?: string,
): Diagnostic[] {
  if (text === undefined) return problems.map((problem) => toDiagnostic(file, problem, toPointer))
  const map = createTextMap(text)
  const locate = createLocator(text)
  const positionOf = (path: Problem['path']): Position => map.position(locate(path).start)
  return problems.map((problem) => {
    const position = positionOf(problem.path)
    const { start, end } = locate(problem.path)
    const written = problem.number === undefined ? {} : { number: text.slice(start, end) }
    const diagnostic = toDiagnostic(file, { ...problem, ...written }, (path) => {
      const { line, column } = positionOf(path)
      return `${line}:${column}`
    })
    return { ...diagnostic, ...position, frame: map.frame(position) }
  })
}

/** Turns a syntax error into a diagnostic, with the position of the error if it is known. */
export function diagnoseSyntax(
  file: FixtureFile,
  text: string,
  found: { problem: string; advice: string; offset?: number; position?: Position },
): Diagnostic {
  const map = createTextMap(text)
  const position = found.offset === undefined ? found.position : map.position(found.offset)
  const diagnostic = toDiagnostic(file, { ...found, severity: 'error', path: [] }, toPointer)
  return position ? { ...diagnostic, ...position, frame: map.frame(position) } : diagnostic
}

/** Turns parts of a file that are skipped into warnings with their positions. */
export function diagnoseSkipped(
  file: FixtureFile,
  text: string,
  skipped: readonly SqlWarning[],
): Diagnostic[] {
  return firstOfEach(skipped).map((one) => {
    const advice = 'Please write it as INSERT INTO … VALUES with plain values, or ignore this.'
    return { ...diagnoseSyntax(file, text, { ...one, advice }), severity: 'warning' }
  })
}

/** Turns numbers that lose digits into warnings. */
export function diagnoseNumbers(
  file: FixtureFile,
  text: string,
  numbers: readonly LostDigits[],
): Diagnostic[] {
  const map = createTextMap(text)
  const problems = numbers.map(({ literal, value, offset }) => {
    const served = JSON.stringify(value)
    const reason = served === literal ? 'is larger than 2^53 - 1' : `is served as ${served}`
    return { literal, offset, problem: `the number {number} ${reason}` }
  })
  return firstOfEach(problems).map(({ literal, offset, problem }) => {
    const position = map.position(offset)
    const advice = 'Please write it as a string, in double quotes.'
    const found: Problem = { severity: 'warning', path: [], problem, advice, number: literal }
    return { ...toDiagnostic(file, found, toPointer), ...position, frame: map.frame(position) }
  })
}

/** The diagnostic of a file that is not UTF-8. */
export function diagnoseEncoding({ label }: FixtureFile): Diagnostic {
  const message = `Failed to read "${label}": it is not UTF-8 text.`
  return { severity: 'error', file: label, message, advice: 'Please save it as UTF-8.' }
}

function toDiagnostic(
  file: FixtureFile,
  { severity, problem, advice, first, number = '', path }: Problem,
  describe: (path: Problem['path']) => string,
): Diagnostic {
  const hasNoPosition = describe === toPointer && path.length > 0
  const where = hasNoPosition ? ` (at ${toPointer(path)})` : ''
  const reason = problem
    .replace('{first}', () => describe(first ?? []))
    .replace('{number}', () => number)
  const message = `Failed to load "${file.label}": ${reason}${where}.`
  return { severity, file: file.label, message, advice }
}

/** Formats a diagnostic: `file:line:column`, severity, message, advice and code frame. */
export function formatDiagnostic(
  { severity, file, line, column, message, advice, frame }: Diagnostic,
  style: DiagnosticStyle = plain,
): string {
  const body = advice === undefined ? message : `${message} ${advice}`
  if (line === undefined) return body
  const location = style.location(`${file}:${line}:${column ?? 1}`)
  const head = `${location} ${style.severity(severity, severity)}\n${body}`
  return frame === undefined ? head : `${head}\n\n${formatFrame(frame, style)}`
}

/** The functions that style the parts of a formatted diagnostic, for example with the colours of a terminal. */
export interface DiagnosticStyle {
  /** The file, line and column. */
  location(text: string): string
  severity(text: string, severity: Diagnostic['severity']): string
  /** The line of a code frame with the problem, and the line with the marker. */
  marked(text: string): string
  /** The other lines of a code frame. */
  around(text: string): string
}

const plain: DiagnosticStyle = {
  location: String,
  severity: String,
  marked: String,
  around: String,
}

function formatFrame(frame: string, { marked, around }: DiagnosticStyle): string {
  const rows = frame.split('\n')
  return rows.map((row) => (/^>|^ +\|\s+\^$/.test(row) ? marked(row) : around(row))).join('\n')
}

/** Throws one error for all errors; warnings do not throw. @throws MockError with the text of every error */
export function throwErrors(
  problems: readonly Diagnostic[],
  { toleratesEmpty = false, code = 'FIXTURES_INVALID' }: ThrowOptions = {},
): void {
  const errors = problems.filter((one) => isError(one) && !(toleratesEmpty && one.isEmpty))
  if (errors.length === 0) return
  const message = errors.map((error) => formatDiagnostic(error)).join('\n\n')
  throw new MockError(message, { code, cause: errors })
}

interface ThrowOptions {
  /** Whether the error of an empty file is tolerated. @default false */
  toleratesEmpty?: boolean | undefined
  /** The code of the error. @default 'FIXTURES_INVALID' */
  code?: string
}
