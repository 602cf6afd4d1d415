import type { FileConfig } from '../../core/mock/file-config.ts'
import type { Io } from '../io.ts'
import { commands } from './commands.ts'
import { readValue, toTexts } from './option-values.ts'
import type { Option } from './option.ts'
import type { Arguments } from './parse-arguments.ts'
import { missingValue } from './usage-errors.ts'

/** Converts options, or else environment variables, to a configuration. @throws MockError that names the wrong one */
export function toConfig({ command, values }: Arguments, env: Io['env']): FileConfig {
  const entries: [entry: string, value: unknown][] = []
  for (const option of commands[command].options) {
    const { name, entry, env: variable } = option
    // In cmd.exe `set PORT=80 && mock` includes the space before `&&` in the value.
    const inherited = variable === undefined ? undefined : env[variable]?.trim()
    const value = values[name] ?? (inherited || undefined)
    if (value === undefined) continue
    const texts = toTexts(value)
    if (texts.includes('') && name !== 'base') throw missingValue(option)
    const source = values[name] === undefined ? String(variable) : `--${name}`
    if (entry) entries.push([entry, readValue(source, () => parse(option, texts))])
  }
  return Object.fromEntries(entries)
}

/** Parses the values of an option, of which only a list has several. */
function parse(option: Option, texts: readonly string[]): unknown {
  if (option.type === 'list') return option.parse ? option.parse(texts) : texts
  const text = texts.at(-1) ?? ''
  if (option.type === 'text') return option.parse ? option.parse(text) : text
  return option.parse ? option.parse(text === 'true') : text === 'true'
}
