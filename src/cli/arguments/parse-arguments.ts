import parse, { type Options } from 'yargs-parser'
import { readPackage } from '../package-facts.ts'
import { type CommandName, commandNames, commands, infoFlags } from './commands.ts'
import type { Option, OptionValue } from './option.ts'
import { missingValue, unknownOption, usageError } from './usage-errors.ts'
import { ownValue } from '../../core/json/json.ts'

/** A parsed command line: the name of the command, the values of its options, and its other arguments. */
export interface Arguments {
  command: CommandName
  paths: string[]
  /** The given values by option name. */
  values: Readonly<Record<string, OptionValue>>
}

/** The text to print for `--help` or `--version`, instead of running a command. */
export interface InfoText {
  text: string
}

/**
 * Parses a command line by the parser of yargs; the rest of yargs takes longer to load than the server, so
 * that only the help imports it.
 * @throws MockError that suggests the nearest option or command
 */
export async function parseArguments(
  args: readonly string[],
  columns: number,
  program = 'mock',
): Promise<Arguments | InfoText> {
  const spelled = normalizeSpelling(args, commands.server.options)
  const line = spelled[0] === 'help' ? [...spelled.slice(1), '--help'] : spelled
  const [word] = read(line, allOptions).words
  const named = commandNames.find((name) => name === word)
  const command = named ?? 'server'
  checkValues(line, command)
  const { words, values } = read(line, commands[command].options)
  if (values['help'] === true) return { text: await writeHelp(named, columns, program) }
  if (values['version'] === true) return { text: readPackage().version }
  const paths = named === undefined ? words : words.toSpliced(words.indexOf(named), 1)
  return { command, paths: checkPaths(paths, command), values: toValues(values, command) }
}

/** The options of all commands, by which the name of the command is found among their values. */
const allOptions = Object.values(commands).flatMap(({ options }) => options)

/** Reads the words of a command line, which are no options, and the values of its options. */
function read(
  args: readonly string[],
  options: readonly Option[],
): { words: string[]; values: Record<string, unknown> } {
  const namesOf = (type: Option['type']): string[] =>
    options.filter((option) => option.type === type).map(({ name }) => name)
  const aliases = options.flatMap(({ name, alias = [] }) => [[name, alias] as const])
  const { argv, error } = parse.detailed([...args], {
    boolean: [...namesOf('flag'), ...infoFlags],
    string: [...namesOf('text'), ...namesOf('list')],
    array: namesOf('list'),
    alias: { ...Object.fromEntries(aliases), help: 'h', version: 'v' },
    configuration,
  })
  if (error) throw usageError(error.message)
  const { _: words, ...values } = argv
  return { words: words.map(String), values }
}

const configuration: Options['configuration'] = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-positional-numbers': false,
  'strip-aliased': true,
}

/** Rejects values that the parser would accept: flags other than true or false, and missing texts. */
function checkValues(args: readonly string[], command: CommandName): void {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  for (const [index, arg] of own.entries()) {
    const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    // The parser keeps options in plain objects, which inherit these names.
    if (name in {}) throw unknown(name, command)
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

function checkPaths(paths: string[], command: CommandName): string[] {
  const [path] = paths
  if (path === undefined || commands[command].takesPaths) return paths
  throw usageError(`Failed to run "${command}": it takes no paths. Please leave out "${path}".`)
}

function toValues(given: Record<string, unknown>, command: CommandName): Arguments['values'] {
  const values: Record<string, OptionValue> = {}
  for (const [name, value] of Object.entries(given)) {
    if (infoFlags.includes(name)) continue
    const option = commands[command].options.find((known) => known.name === name)
    if (!option) throw unknown(name, command)
    const all: unknown[] = [value].flat()
    // The last value of a repeated option counts, unless the option is a list.
    const last = all.at(-1)
    if (option.type === 'list') values[name] = all.map(String)
    else values[name] = typeof last === 'string' ? last : last === true
  }
  return values
}

function unknown(name: string, command: CommandName): ReturnType<typeof unknownOption> {
  const known = [...commands[command].options.map((option) => option.name), ...infoFlags]
  return unknownOption(name, command, known, command === 'server' ? replacementOf(name) : undefined)
}

/** Writes the help of a command; without the name of one, that of the program. */
async function writeHelp(
  named: CommandName | undefined,
  columns: number,
  program: string,
): Promise<string> {
  const { default: yargs } = await import('yargs')
  const { usage, description, options } = commands[named ?? 'server']
  const isNamed = named !== undefined
  const parser = yargs()
    .scriptName(program)
    .usage(
      isNamed
        ? `${program} ${usage}\n\n${description}`
        : 'Serves fixture JSON files as a REST API.',
    )
    .locale('en')
    .options(Object.fromEntries(options.map((option) => [option.name, toYargs(option)])))
    .help()
    .alias('help', 'h')
    .version(readPackage().version)
    .alias('version', 'v')
    .wrap(Math.min(columns, 100))
  for (const name of isNamed ? [] : commandNames) {
    parser.command(commands[name].usage, commands[name].description)
  }
  return parser.getHelp()
}

function toYargs({ type, alias, description, default: standard, env }: Option): object {
  const source = env === undefined ? '' : ` (environment: ${env})`
  return {
    type: type === 'flag' ? 'boolean' : 'string',
    array: type === 'list',
    description: `${description}${source}`,
    ...(alias === undefined ? {} : { alias }),
    ...(standard === undefined ? {} : { defaultDescription: standard }),
  }
}

/** Replaces json-server's spellings: `--middlewares a.js b.js` becomes an option a value, `-sfolder` becomes `-s=folder`. */
function normalizeSpelling(args: readonly string[], options: readonly Option[]): string[] {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const rest = end < 0 ? [] : args.slice(end)
  const known = own.flatMap(toKnown).map((arg) => separateValue(arg, options))
  return [...separateLists(known, options), ...rest]
}

/** The arguments of this program by the names of json-server's options. */
const spellings: Readonly<Record<string, string>> = {
  fks: '--foreignKeySuffix',
  ro: '--read-only',
  readOnly: '--read-only',
  'no-cors': '--cors-origin=none',
  noCors: '--cors-origin=none',
  nc: '--cors-origin=none',
}

function toKnown(arg: string): string[] {
  const [, name = '', value] = /^--([\w-]+)(=.*)?$/s.exec(arg) ?? []
  const known = Object.hasOwn(spellings, name) ? spellings[name] : undefined
  if (known === undefined) return [arg]
  // json-server needs `--no-cors=true`, as its parser reads the flag alone as `--cors=false`.
  if (known.includes('=')) return value === '=false' ? [] : [known]
  return [known + (value ?? '')]
}

/** Returns the advice about an option of json-server that this program does not have, by name or alias. */
function replacementOf(name: string): string | undefined {
  return ownValue(replacements, name)
}

const noSnapshots = 'Please leave it out: the key s saves a snapshot, the key b restores it.'
const noGzip = 'Please leave it out: a response is only compressed if the client accepts it.'

const replacements: Readonly<Record<string, string>> = {
  snapshots: noSnapshots,
  S: noSnapshots,
  'no-gzip': noGzip,
  ng: noGzip,
}

function separateValue(arg: string, options: readonly Option[]): string {
  const [, letter, value] = /^-([a-z])([^=].*)$/is.exec(arg) ?? []
  const takesValue = options.some(({ alias, type }) => type !== 'flag' && alias === letter)
  return letter !== undefined && takesValue ? `-${letter}=${value}` : arg
}

function separateLists(args: readonly string[], options: readonly Option[]): string[] {
  const flags = new Map(
    options.flatMap((option) => {
      const flag = `--${option.name}`
      if (option.type !== 'list' || !option.isGreedy) return []
      return [flag, `-${option.alias}`].map((spelling) => [spelling, flag] as const)
    }),
  )
  const separated: string[] = []
  let list: string | undefined
  for (const [index, arg] of args.entries()) {
    const isOption = arg.startsWith('-')
    if (isOption) list = flags.get(arg)
    const hasValues = list !== undefined && /^[^-]/.test(args[index + 1] ?? '-')
    if (list !== undefined && !isOption) separated.push(`${list}=${arg}`)
    else if (!hasValues) separated.push(arg)
  }
  return separated
}
