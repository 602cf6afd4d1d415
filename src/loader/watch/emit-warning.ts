/**
 * Emits an error as a warning of the process, so that the error of a scan or of a listener does not end the
 * watching.
 */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
