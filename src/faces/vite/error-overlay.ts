import { resolve } from 'node:path'
import type { ErrorPayload } from 'vite'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { formatDiagnostic } from '../../loader/check/format.ts'

/**
 * Converts the errors of fixture files for the overlay that Vite shows in the page: the first error with its
 * location, the others as text. Undefined without errors.
 */
export function toErrorOverlay(
  errors: readonly Diagnostic[],
  root: string,
): ErrorPayload | undefined {
  const [first, ...others] = errors
  if (!first) return undefined
  const { file, line, column, message, advice, frame } = first
  const path = resolve(root, file)
  return {
    type: 'error',
    err: {
      plugin: 'fixtura',
      message: [message, advice, ...others.map((other) => formatDiagnostic(other))]
        .filter((part) => part !== undefined)
        .join('\n\n'),
      stack: '',
      id: path,
      ...(frame !== undefined && { frame }),
      ...(line !== undefined && { loc: { file: path, line, column: column ?? 1 } }),
    },
  }
}
