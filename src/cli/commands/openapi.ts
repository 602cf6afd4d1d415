import { toOpenApiText } from '../../load/generated-file.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import type { Terminal } from '../output/terminal.ts'
import { runGenerate } from './generate.ts'

/** `mock openapi`: prints the OpenAPI document of the mock, or writes it to the file that `--out` names. */
export function runOpenApi(args: Arguments, terminal: Terminal): Promise<number> {
  const plain = args.values['plain'] === true
  return runGenerate(args, terminal, (mock, path) => toOpenApiText(mock, path, { plain }))
}
