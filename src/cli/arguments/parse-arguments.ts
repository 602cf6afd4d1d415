import type { Arguments, Asked } from './arguments.ts'
import { findCommand, parsePlain } from './plain-parser.ts'

/**
 * Understands a command line. What is plainly right is taken at once, so that the server answers early;
 * anything else (help, mistakes, unusual spellings) is for the full parser.
 * @throws MockError that suggests the nearest option or command
 */
export async function parseArguments(
  args: readonly string[],
  columns: number,
): Promise<Arguments | Asked> {
  const line = findCommand(args[0] === 'help' ? [...args.slice(1), '--help'] : args)
  const plain = parsePlain(line)
  if (plain) return plain
  const { parseFully } = await import('./full-parser.ts')
  return parseFully(line, columns)
}
