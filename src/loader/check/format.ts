import type { Diagnostic } from '../../core/fixtures/source.ts'

/**
 * Formats a diagnostic (a problem in a fixture file) for people: `file:line:column`, the severity, the
 * message, the advice and the code frame. A diagnostic without a line is formatted as one line of message and
 * advice.
 */
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
