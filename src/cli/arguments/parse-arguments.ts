import type { Arguments, InfoText } from './arguments.ts'
import { commands } from './commands.ts'
import { findCommand, parsePlain } from './plain-parser.ts'
import { normalizeSpelling } from './json-server-spellings.ts'

/**
 * Parses a command line. A simple, valid command line takes the fast plain parser, so that the server starts
 * early. The full parser is imported for any other: for help, mistakes and unusual spellings.
 * @throws MockError that suggests the nearest option or command
 */
export async function parseArguments(
  args: readonly string[],
  columns: number,
): Promise<Arguments | InfoText> {
  const spelled = normalizeSpelling(args, commands.server.options)
  const line = findCommand(spelled[0] === 'help' ? [...spelled.slice(1), '--help'] : spelled)
  const plain = parsePlain(line)
  if (plain) return plain
  const { parseFully } = await import('./full-parser.ts')
  return parseFully(line, columns)
}
