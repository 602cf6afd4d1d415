import type { FileConfig } from '../../core/mock/file-config.ts'
import type { Arguments } from './arguments.ts'
import type { Io } from '../io.ts'
import type { Option } from './option.ts'
import { readValue, toTexts } from './option-values.ts'
import { commands } from './commands.ts'
import { missingValue } from './usage-errors.ts'

/**
 * Converts the options of a command line to entries of a configuration file, which then override the entries
 * of the file itself. An environment variable counts if its option is not given.
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
    const texts = toTexts(value)
    if (texts.includes('') && name !== 'base') throw missingValue(option)
    const source = given === undefined ? String(variable) : `--${name}`
    Object.assign(
      config,
      readValue(source, () => toEntries(option, texts)),
    )
  }
  return config
}

/** Converts the values of an option, of which only a list has several. */
function toEntries(option: Option, texts: readonly string[]): FileConfig | undefined {
  if (option.type === 'list') return option.toConfig?.(texts)
  const text = texts.at(-1) ?? ''
  return option.type === 'flag' ? option.toConfig?.(text === 'true') : option.toConfig?.(text)
}
