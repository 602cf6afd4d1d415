import type { Diagnostic } from '../../core/fixtures/source.ts'
import { formatDiagnostic } from '../../loader/check/diagnose.ts'
import type { Paint } from './terminal.ts'
import { toPrintableLines } from './printable.ts'

/** A problem of a fixture file as the terminal shows it: place, severity, message and code frame. */
export function describeProblem(problem: Diagnostic, { bold, dim, red, yellow }: Paint): string {
  const { file, message, advice, frame } = problem
  const safe: Diagnostic = {
    ...problem,
    file: toPrintableLines(file),
    message: toPrintableLines(message),
    ...(advice === undefined ? {} : { advice: toPrintableLines(advice) }),
    ...(frame === undefined ? {} : { frame: toPrintableLines(frame) }),
  }
  return formatDiagnostic(safe, {
    location: bold,
    severity: (text, severity) => (severity === 'error' ? red(text) : yellow(text)),
    marked: red,
    around: dim,
  })
}
