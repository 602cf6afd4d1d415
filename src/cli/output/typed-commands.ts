import { commandNames } from '../arguments/commands.ts'

/**
 * Creates a function that writes the commands of a message with the name by which the user started the program:
 * `npx mock init` for a project that has it, `mock init` for a global installation. `path` is the started file,
 * which npm links under each name of the program; other starts, such as those of Windows, keep the messages.
 */
export function createTypedCommands(path: string): TypedCommands {
  const name = nameOf(path)
  if (name === undefined) return { name: 'mock', write: (text) => text }
  // The registry has another package by the name `mock`, which npx would take.
  const called = /[\\/]_npx[\\/]/.test(path) ? 'fixtura' : name
  const prefix = /[\\/]\.bin[\\/]/.test(path) ? 'npx ' : ''
  return {
    name,
    write: (text) =>
      text.replaceAll(mentioned, (mention) =>
        mention.startsWith('npx ') ? `${prefix}${called}` : name,
      ),
  }
}

/** The program by the name that the user typed. */
export interface TypedCommands {
  name: string
  write(text: string): string
}

function nameOf(path: string): string | undefined {
  return /[\\/](mock|fixtura)$/.exec(path)?.[1]
}

/** The program in a command of a message, such as `npx fixtura init` or "mock server". */
const mentioned = new RegExp(
  `(?:\\bnpx (?:fixtura|mock)|(?<=["\`])mock)(?= (?:${commandNames.join('|')})\\b)`,
  'g',
)
