import type { CoreMock } from '../../core/mock/core-mock.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import type { Serving } from '../../faces/node/serve.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Stop } from './stop.ts'

/** A server that answers, and who is told what it does. */
export interface Running {
  mock: CoreMock
  config: ResolvedConfig
  serving: Serving
  stop: Stop
  terminal: Terminal
  /** Prints, unless nothing is to be said. */
  say(text: string): void
  complain(text: string): void
}
