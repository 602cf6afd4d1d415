import type { MockError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import { ownValue } from '../../core/json/json.ts'
import { type CommandName, commands, infoFlags } from './commands.ts'
import { usageError } from './usage-errors.ts'

/**
 * Creates the error for an option that the command does not have. The error advises what replaces an option
 * of json-server, and suggests the nearest known name for any other option.
 */
export function unknownOption(name: string, command: CommandName): MockError {
  const known = [...commands[command].options.map((option) => option.name), ...infoFlags]
  const replacement = command === 'server' ? ownValue(replacements, name) : undefined
  const advice = replacement ? `Please ${replacement}.` : suggest(toFlag(name), known.map(toFlag))
  return usageError(
    `Failed to read "${toFlag(name)}": "mock ${command}" has no such option. ${advice}`,
  )
}

function toFlag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}

const snapshots = 'leave it out: the key s saves a snapshot, the key b restores it'
const noGzip = 'leave it out: a response is only compressed if the client accepts it'

/** The replacements of json-server's options that this program does not have, by name and by alias. */
const replacements: Readonly<Record<string, string>> = {
  snapshots,
  S: snapshots,
  'no-gzip': noGzip,
  ng: noGzip,
}
