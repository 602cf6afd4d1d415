import yargs from 'yargs'
import type { Arguments, InfoText } from './arguments.ts'
import type { Option, OptionValue } from './option.ts'
import { infoFlags, type CommandName, commandNames, commands } from './commands.ts'
import type { CommandLine } from './plain-parser.ts'
import { unknownOption } from './unknown-option.ts'
import { missingValue, usageError } from './usage-errors.ts'
import { versionOf } from '../version.ts'

/**
 * Parses any command line with yargs, which also writes the help and finds mistakes. Importing yargs slows
 * the start, so a simple, valid command line is parsed by `parsePlain` instead.
 * @throws MockError that suggests the nearest option
 */
export async function parseFully(
  line: CommandLine,
  columns: number,
): Promise<Arguments | InfoText> {
  const { command, args } = line
  checkValues(line)
  let text = ''
  const found = await createParser(line, columns).parseAsync(args, {}, (error, _, output) => {
    if (error) throw usageError(error.message)
    text = output
  })
  if (text !== '') return { text }
  const { _: words, $0: _name, ...rest } = found
  const [word] = words
  if (word !== undefined && !commands[command].takesPaths) {
    throw usageError(`Failed to run "${command}": it takes no paths. Please leave out "${word}".`)
  }
  return { command, paths: words.map(String), values: toValues(rest, command) }
}

/** Rejects values that yargs would accept: flags other than true or false, and missing texts. */
function checkValues({ command, args }: CommandLine): void {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  for (const [index, arg] of own.entries()) {
    const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    // yargs keeps options in plain objects, which inherit these names.
    if (name in {}) throw unknownOption(name, command)
    const option = commands[command].options.find((known) => known.name === name)
    const isFlag = option ? option.type === 'flag' : infoFlags.includes(name)
    if (isFlag && value !== undefined && !/^(?:true|false)$/.test(value)) {
      throw usageError(
        `Failed to read --${name}: "${value}" is neither true nor false. Please write --${name}.`,
      )
    }
    // `--base=` gives an empty value, which `base` accepts; a bare `--base` gives none.
    const hasNoValue = /^-\D/.test(own[index + 1] ?? '--')
    const takesValue = option && option.type !== 'flag'
    if (takesValue && value === undefined && hasNoValue) throw missingValue(option)
  }
}

function toValues(found: Record<string, unknown>, command: CommandName): Arguments['values'] {
  const { options } = commands[command]
  const values: Record<string, OptionValue> = {}
  for (const [name, given] of Object.entries(found)) {
    if (infoFlags.includes(name)) continue
    const option = options.find((option) => option.name === name)
    if (!option) throw unknownOption(name, command)
    const all: unknown[] = [given].flat()
    // The last value of a repeated option counts, unless the option is a list.
    const value = all.at(-1)
    if (option.type === 'list') values[name] = all.map(String)
    else values[name] = typeof value === 'string' ? value : value === true
  }
  return values
}

function createParser(
  { command, isNamed }: CommandLine,
  columns: number,
): ReturnType<typeof yargs> {
  const { usage, description, options } = commands[command]
  const parser = yargs()
    .scriptName('mock')
    .usage(isNamed ? `mock ${usage}\n\n${description}` : 'Serves fixture JSON files as a REST API.')
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .options(Object.fromEntries(options.map((option) => [option.name, toYargs(option)])))
    .exitProcess(false)
    .help()
    .alias('help', 'h')
    .version(versionOf())
    .alias('version', 'v')
    .wrap(Math.min(columns, 100))
  if (isNamed) return parser
  // For the help text only: `findCommand` has found the command already.
  for (const name of commandNames) parser.command(commands[name].usage, commands[name].description)
  return parser
}

function toYargs({ type, alias, description, default: standard, env }: Option): object {
  const source = env === undefined ? '' : ` (environment: ${env})`
  return {
    type: type === 'flag' ? 'boolean' : 'string',
    array: type === 'list',
    description: `${description}${source}`,
    ...(alias === undefined ? {} : { alias }),
    // For the help text only: a real default would look like a typed value.
    ...(standard === undefined ? {} : { defaultDescription: standard }),
  }
}
