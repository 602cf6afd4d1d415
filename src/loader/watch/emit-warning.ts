/** Emits the error of a listener as a warning of the process, so that watching goes on. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
