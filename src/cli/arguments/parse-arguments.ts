import type { Arguments, InfoText } from './arguments.ts'
import { findCommand, parsePlain } from './plain-parser.ts'

/**
 * Parses a command line. A simple, valid one takes the fast plain parser, so that the server starts
 * early; the full parser is loaded for everything else: help, mistakes and unusual spellings.
 * @throws MockError that suggests the nearest option or command
 */
export async function parseArguments(
  args: readonly string[],
  columns: number,
): Promise<Arguments | InfoText> {
  const line = findCommand(args[0] === 'help' ? [...args.slice(1), '--help'] : args)
  const plain = parsePlain(line)
  if (plain) return plain
  const { parseFully } = await import('./full-parser.ts')
  return parseFully(line, columns)
}
