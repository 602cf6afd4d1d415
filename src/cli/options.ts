import { MockError } from '../core/errors.ts'
import { suggest } from '../core/nearest.ts'
import { type DialectName, dialectNames, isDialectName } from '../faces/node/load/dialect-names.ts'
import { type FileConfig, isPort } from '../faces/node/load/file-config.ts'

/** One option of the command line. */
export interface Option {
  /** As it is typed, without the dashes. */
  name: string
  /** One letter. */
  alias?: string
  /** A flag takes no value. */
  type: 'text' | 'flag'
  description: string
  /** What holds without it, in words. */
  default?: string
  /** The environment variable that gives it where the command line does not. */
  env?: string
  /** What it says in the words of a configuration file. @throws MockError when it says nothing */
  toConfig(value: string): FileConfig
}

/** What every command that reads fixtures takes. */
const reading: readonly Option[] = [
  {
    name: 'config',
    alias: 'c',
    type: 'text',
    description: 'Configuration file',
    default: 'mock.config.*',
    toConfig: () => ({}),
  },
  {
    name: 'id',
    alias: 'i',
    type: 'text',
    description: 'Field that identifies records',
    default: 'id',
    toConfig: (id) => ({ id }),
  },
]

/** What `mock server` takes. */
const serving: readonly Option[] = [
  {
    name: 'port',
    alias: 'p',
    type: 'text',
    description: 'Port; 0 for any free one',
    default: '3000',
    env: 'PORT',
    toConfig: (text) => ({ port: toPort(text) }),
  },
  {
    name: 'host',
    alias: 'H',
    type: 'text',
    description: 'Address to listen on',
    default: 'localhost',
    toConfig: (host) => ({ host }),
  },
  {
    name: 'base',
    type: 'text',
    description: 'In front of every path: /api',
    toConfig: (base) => ({ base }),
  },
  {
    name: 'dialect',
    type: 'text',
    description: `How the wire is written: ${dialectNames.join(', ')}`,
    default: 'rest',
    toConfig: (name) => ({ dialect: toDialect(name) }),
  },
  ...reading,
  {
    name: 'seed',
    type: 'text',
    description: 'Makes new ids and chance repeat',
    toConfig: (text) => ({ seed: /^\d{1,9}$/.test(text) ? Number(text) : text }),
  },
  {
    name: 'read-only',
    type: 'flag',
    description: 'Refuse every write',
    toConfig: () => ({ readOnly: true }),
  },
  {
    name: 'watch',
    alias: 'w',
    type: 'flag',
    description: 'Serve edited fixtures, whatever the config says',
    default: 'on',
    toConfig: () => ({ watch: true }),
  },
  {
    name: 'no-watch',
    type: 'flag',
    description: 'Do not serve edited fixtures',
    toConfig: () => ({ watch: false }),
  },
  {
    name: 'poll',
    type: 'flag',
    description: 'Look for edits every 100 ms, for network drives',
    toConfig: () => ({ poll: true }),
  },
  {
    name: 'static',
    alias: 's',
    type: 'text',
    description: 'Folder of files to serve where the mock has nothing',
    toConfig: (folder) => ({ static: folder }),
  },
  {
    name: 'open',
    alias: 'o',
    type: 'flag',
    description: 'Open the browser once the server answers',
    toConfig: () => ({ open: true }),
  },
  {
    name: 'quiet',
    alias: 'q',
    type: 'flag',
    description: 'Print problems only',
    toConfig: () => ({ quiet: true }),
  },
]

/** One command of the command line. */
export interface Command {
  usage: string
  description: string
  takesPaths: boolean
  options: readonly Option[]
}

/** The name of a command. */
export type CommandName = 'server' | 'init' | 'check'

/** The commands, what they do and what they take. */
export const commands: Readonly<Record<CommandName, Command>> = {
  server: {
    usage: 'server [paths..]',
    description: 'Serve fixtures (the default command)',
    takesPaths: true,
    options: serving,
  },
  init: {
    usage: 'init',
    description: 'Write starter fixtures, a config, and the worker script of MSW',
    takesPaths: false,
    options: [],
  },
  check: {
    usage: 'check [paths..]',
    description: 'Report every problem in the fixtures; exit 1 if there is any',
    takesPaths: true,
    options: reading,
  },
}

/** The names of the commands. */
export const commandNames: readonly CommandName[] = ['server', 'init', 'check']

function toPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (isPort(port)) return port
  throw wrong(`"${text}" is no port. Please give a number from 0 to 65535.`)
}

function toDialect(name: string): DialectName {
  if (isDialectName(name)) return name
  throw wrong(`"${name}" is no dialect. ${suggest(name, dialectNames)}`)
}

function wrong(reason: string): MockError {
  return new MockError(reason, { code: 'USAGE' })
}
