import yargs from 'yargs'
import type { Arguments, Asked } from './arguments.ts'
import { type CommandName, commandNames, commands, type Option } from './options.ts'
import { unknownOption, usageError } from './usage.ts'
import { versionOf } from './version.ts'

/**
 * Understands any command line: help, version, unusual spellings, and mistakes.
 * @throws MockError that suggests the nearest option
 */
export async function parseFully(
  args: readonly string[],
  columns: number,
): Promise<Arguments | Asked> {
  let text = ''
  const found = await createParser(columns).parseAsync([...args], {}, (error, _, output) => {
    if (error) throw usageError(error.message)
    text = output
  })
  if (text !== '') return { text }
  const { _: words, $0: _name, paths = [], ...rest } = found as unknown as Found
  const [first] = words
  const command = commandNames.find((name) => name === first) ?? 'server'
  const more = command === first ? words.slice(1) : words
  if (!commands[command].takesPaths && more.length > 0) {
    throw usageError(`Failed to run "${command}": it takes no "${more[0]}". Please leave it out.`)
  }
  return {
    command,
    paths: [...paths, ...more].map(String),
    values: toValues(rest, command),
  }
}

interface Found {
  _: (string | number)[]
  $0: string
  paths?: string[]
  [name: string]: unknown
}

function toValues(found: Record<string, unknown>, command: CommandName): Arguments['values'] {
  const { options } = commands[command]
  const values: Record<string, string | true> = {}
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined || value === false || name === 'help' || name === 'version') continue
    const option = options.find((option) => option.name === name)
    if (!option) throw unknownOption(name, command)
    values[name] = typeof value === 'string' ? value : true
  }
  return values
}

function createParser(columns: number): ReturnType<typeof yargs> {
  const parser = yargs()
    .scriptName('mock')
    .usage('Fixture JSON files as a REST API.')
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'duplicate-arguments-array': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .exitProcess(false)
    .help()
    .alias('help', 'h')
    .version(versionOf())
    .alias('version', 'v')
    .wrap(Math.min(columns, 100))
  for (const name of commandNames) addCommand(parser, name)
  return parser.epilogue('More: https://www.npmjs.com/package/fixtura')
}

function addCommand(parser: ReturnType<typeof yargs>, name: CommandName): void {
  const { usage, description, options } = commands[name]
  const spellings = name === 'server' ? [usage, '$0'] : [usage]
  parser.command(spellings, description, (inner) =>
    inner.options(Object.fromEntries(options.map((option) => [option.name, toYargs(option)]))),
  )
}

function toYargs({ type, alias, description, default: standard, env }: Option): object {
  const more = env === undefined ? '' : ` (environment: ${env})`
  return {
    type: type === 'flag' ? 'boolean' : 'string',
    description: `${description}${more}`,
    ...(alias === undefined ? {} : { alias }),
    // Only said: which values were typed has to stay visible.
    ...(standard === undefined ? {} : { defaultDescription: standard }),
  }
}
