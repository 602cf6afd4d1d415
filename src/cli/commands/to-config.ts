import { MockError } from '../../core/errors/mock-error.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import type { Arguments } from '../arguments/arguments.ts'
import type { Io } from '../io.ts'
import type { Option } from '../arguments/option.ts'
import { commands } from '../arguments/options.ts'
import { missingValue, usageError } from '../arguments/usage-errors.ts'

/**
 * Converts the given options to the entries of a configuration file. An environment variable counts
 * where its option is not given.
 * @throws MockError that names the option or the variable
 */
export function toConfig({ command, values }: Arguments, env: Io['env']): FileConfig {
  const config: FileConfig = {}
  for (const option of commands[command].options) {
    const { name, env: variable } = option
    const given = values[name]
    // In cmd.exe `set PORT=80 && mock` includes the space before `&&` in the value.
    const inherited = variable === undefined ? undefined : env[variable]?.trim()
    const value = given ?? (inherited || undefined)
    if (value === undefined) continue
    const texts = [value].flat().map(String)
    if (texts.includes('') && name !== 'base') throw missingValue(option)
    try {
      Object.assign(config, toEntries(option, texts))
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      const source = given === undefined ? variable : `--${name}`
      throw usageError(`Failed to read ${source}: ${error.message}`)
    }
  }
  return config
}

/** Converts the values of an option, of which only a list has several. */
function toEntries(option: Option, texts: readonly string[]): FileConfig {
  if (option.type === 'list') return option.toConfig(texts)
  const text = texts.at(-1) ?? ''
  return option.type === 'flag' ? option.toConfig(text === 'true') : option.toConfig(text)
}
