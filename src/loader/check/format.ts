import type { Diagnostic } from '../../core/fixtures/source.ts'

/** Writes the parts of a diagnostic, for example in colour. */
export interface DiagnosticStyle {
  place(text: string): string
  severity(text: string, severity: Diagnostic['severity']): string
  /** The line of a code frame that the problem is in, and its marker. */
  marked(text: string): string
  /** The other lines of a code frame. */
  around(text: string): string
}

/**
 * A diagnostic as text: `file:line:column`, what is wrong, what to do, and the lines around it. One
 * without a place is one line.
 */
export function formatDiagnostic(
  { severity, file, line, column, message, advice, frame }: Diagnostic,
  style: DiagnosticStyle = plain,
): string {
  const words = advice === undefined ? message : `${message} ${advice}`
  if (line === undefined) return words
  const place = style.place(`${file}:${line}:${column ?? 1}`)
  const head = `${place} ${style.severity(severity, severity)}\n${words}`
  return frame === undefined ? head : `${head}\n\n${formatFrame(frame, style)}`
}

const plain: DiagnosticStyle = {
  place: String,
  severity: String,
  marked: String,
  around: String,
}

function formatFrame(frame: string, { marked, around }: DiagnosticStyle): string {
  const rows = frame.split('\n')
  return rows.map((row) => (/^>|^ +\|\s+\^$/.test(row) ? marked(row) : around(row))).join('\n')
}
