import { driftOptions } from './drift-options.ts'
import type { Option } from './option.ts'
import { openApiOptions, typesOptions } from './generate-options.ts'
import { importOptions } from './import-options.ts'
import { mcpOptions } from './mcp-options.ts'
import { readOptions, serverOptions } from './option-rows.ts'
import { recordOptions } from './record-options.ts'

/**
 * All commands of the program with their help texts and the options that they accept: the table that the
 * parsers and the help read.
 */
export const commands: Readonly<Record<CommandName, Command>> = {
  server: {
    usage: 'server [paths..]',
    description: 'Serve fixtures (the default command)',
    takesPaths: true,
    options: serverOptions,
  },
  init: {
    usage: 'init',
    description: 'Write starter fixtures, a configuration file and the worker script of MSW',
    takesPaths: false,
    options: [
      {
        name: 'json',
        type: 'flag',
        description: 'Write the configuration as mock.config.json, with its JSON Schema',
      },
      {
        name: 'worker',
        type: 'flag',
        description: 'Also write a Cloudflare Worker, its wrangler.jsonc, and a GitHub workflow',
      },
    ],
  },
  check: {
    usage: 'check [paths..]',
    description: 'Report every problem in the fixtures; exit with 1 if there is one',
    takesPaths: true,
    options: readOptions,
  },
  types: {
    usage: 'types [paths..]',
    description: 'Print TypeScript types of the fixtures, or write them to a file',
    takesPaths: true,
    options: typesOptions,
  },
  openapi: {
    usage: 'openapi [paths..]',
    description: 'Print an OpenAPI document of the mock, or write it to a file',
    takesPaths: true,
    options: openApiOptions,
  },
  import: {
    usage: 'import <files..>',
    description: 'Write fixtures and a configuration from HTTP archives (HAR) of a real API',
    takesPaths: true,
    options: importOptions,
  },
  record: {
    usage: 'record <url>',
    description: 'Serve a real API through a proxy, and write fixtures from its responses',
    takesPaths: true,
    options: recordOptions,
  },
  drift: {
    usage: 'drift <url | file> [paths..]',
    description:
      'Report where the fixtures differ from a live API, an OpenAPI document or a recording (HAR); exit with 1 if they do',
    takesPaths: true,
    options: driftOptions,
  },
  mcp: {
    usage: 'mcp [url | paths..]',
    description:
      'Let coding agents control a mock over MCP: of a URL, else the one on the default port, else one of the fixtures',
    takesPaths: true,
    options: mcpOptions,
  },
}

/** A command: a row of {@link commands}. */
export interface Command {
  usage: string
  description: string
  takesPaths: boolean
  options: readonly Option[]
}

/** The names of the commands. */
export const commandNames = [
  'server',
  'init',
  'check',
  'types',
  'openapi',
  'import',
  'record',
  'drift',
  'mcp',
] as const

/** The name of a command. */
export type CommandName = (typeof commandNames)[number]

/** The options of all commands. An option that several commands have is repeated. */
export const allOptions: readonly Option[] = Object.values(commands).flatMap(
  ({ options }) => options,
)

/** The flags of every command that print a text and do nothing else. */
export const infoFlags: readonly string[] = ['help', 'version']
