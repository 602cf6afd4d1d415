/** What the command line writes to. */
export interface Io {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
}

/** Runs the command line and gives its exit code. */
export async function main(_args: readonly string[], io: Io): Promise<number> {
  io.stderr.write('Failed to run: the commands are not there yet.\n')
  return Promise.resolve(1)
}
