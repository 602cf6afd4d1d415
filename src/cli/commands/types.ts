import { createTypesText } from '../../load/types-text.ts'
import type { Arguments } from '../arguments/arguments.ts'
import type { Terminal } from '../output/terminal.ts'
import { runGenerate } from './generate.ts'

/** `mock types`: generates the TypeScript types of the fixtures. */
export function runTypes(args: Arguments, terminal: Terminal): Promise<number> {
  return runGenerate(args, terminal, (mock) => createTypesText(mock)())
}
