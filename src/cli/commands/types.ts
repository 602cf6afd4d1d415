import { createTypesText } from '../../load/generated-file.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import type { Terminal } from '../output/terminal.ts'
import { runGenerate } from './generate.ts'

/** `mock types`: prints TypeScript types of the fixtures, or writes them to the file that `--out` names. */
export function runTypes(args: Arguments, terminal: Terminal): Promise<number> {
  return runGenerate(args, terminal, (mock) => createTypesText(mock)())
}
