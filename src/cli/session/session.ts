import type { PublicMock } from '../../core/mock/core-mock.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import type { Serving } from '../../faces/node/serve.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Shutdown } from './shutdown.ts'

/** A running `mock server`, which its keys and its watcher share; not the session of a client (`X-Mock-Session`). */
export interface Session {
  mock: PublicMock
  config: ResolvedConfig
  serving: Serving
  /** When the server was started, or its configuration was replaced: milliseconds since the start of the process. */
  startedAt: number
  shutdown: Shutdown
  terminal: Terminal
  /** Prints to standard output; nothing with `quiet`. */
  print(text: string): void
  /** Prints to standard error. */
  printError(text: string): void
}
