import { flag, list, type Option, text } from './option.ts'
import { optionsNamed, readOptions, serverOptions } from './options.ts'

/** All commands with their help texts and the options that they accept, for the parser and the help. */
export const commands: Readonly<Record<CommandName, Command>> = {
  server: {
    usage: 'server [paths..]',
    description: 'Serve fixtures (the default command)',
    takesPaths: true,
    options: serverOptions,
  },
  init: {
    usage: 'init',
    description: 'Write starter fixtures, a configuration, and a set-up for a framework and tests',
    takesPaths: false,
    options: [
      text('framework', 'Framework to set up: vite, next or none', {
        default: 'asked, or that of package.json',
        example: 'vite',
      }),
      list('tests', 'Tests to set up: vitest, jest, playwright or none', {
        default: 'asked, or those of package.json',
        example: 'vitest,playwright',
      }),
      flag('typescript', 'Write TypeScript; --typescript=false writes JavaScript'),
      flag('editor', 'Write JSON Schemas of the fixtures for VS Code and JetBrains IDEs', {
        default: 'asked, or on if there is .vscode or .idea',
      }),
      flag('agents', 'Write a part of AGENTS.md that tells coding agents about the mock'),
      flag('install', 'Install the packages that the set-up needs'),
      flag('yes', 'Ask nothing, and take what package.json suggests', { alias: 'y' }),
      flag('json', 'Write the configuration as mock.config.json, with its JSON Schema'),
      text('openapi', 'OpenAPI document to write fixtures and a configuration of', {
        example: 'openapi.yaml',
      }),
      flag('worker', 'Also write a Cloudflare Worker, its wrangler.jsonc, and a GitHub workflow'),
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
    options: [
      ...readOptions,
      text('out', 'File to write the types to, if they have changed', {
        default: 'standard output',
        example: 'fixtures.d.ts',
      }),
      flag('editor', 'Write JSON Schemas of the fixtures for VS Code and JetBrains IDEs instead'),
    ],
  },
  openapi: {
    usage: 'openapi [paths..]',
    description: 'Print an OpenAPI document of the mock, or write it to a file',
    takesPaths: true,
    options: [
      ...readOptions,
      ...optionsNamed('base', 'dialect', 'routes', 'foreignKeySuffix', 'session-ttl', 'read-only'),
      flag(
        'plain',
        'Leave out parameters and bodies that change the shape of a response, such as _fields',
      ),
      text('out', 'File to write the document to, if it has changed', {
        default: 'standard output',
        example: 'openapi.yaml',
      }),
      text('format', 'yaml or json', {
        default: 'by the extension of --out; yaml on a terminal, json in a pipe',
        example: 'yaml',
      }),
    ],
  },
  generate: {
    usage: 'generate <collection=count..> [paths..]',
    description: 'Bring collections to a number of records that look like those of the fixtures',
    takesPaths: true,
    options: [
      ...readOptions,
      ...optionsNamed('seed'),
      text('locale', 'Language of names and texts', { default: 'en', example: 'de' }),
      text('out', 'Folder to write the fixtures to', {
        default: 'the files that the collections have',
        example: 'fixtures',
      }),
      flag('dry-run', 'Print what would be written'),
    ],
  },
  import: {
    usage: 'import <files..>',
    description: 'Write fixtures and a configuration from HTTP archives (HAR) of a real API',
    takesPaths: true,
    options: [
      text('out', 'Folder to write the fixtures to', { default: 'fixtures' }),
      text('origin', 'Origin of the API', {
        default: 'the one with the most JSON',
        example: 'https://api.example.com',
      }),
      list('only', 'Pattern of the paths to learn from; can be repeated', {
        default: 'all paths',
        example: "'/api/*'",
      }),
      list(
        'redact',
        'Fields to replace, beside those that look private: email,phone; none keeps personal data',
        { example: 'email,phone' },
      ),
    ],
  },
  record: {
    usage: 'record <url>',
    description: 'Serve a real API through a proxy, and write fixtures from its responses',
    takesPaths: true,
    options: [
      text('out', 'Folder to write fixtures to', { default: 'fixtures' }),
      list('only', 'Pattern of the paths to learn from; can be repeated', {
        default: 'the path of the URL and all below',
        example: "'/api/*'",
      }),
      list('redact', 'Names of fields to substitute beside those of secrets and personal data', {
        example: 'email,phone',
      }),
      list('header', 'Header to set on every request to the real API; can be repeated', {
        example: "'Authorization: Bearer <token>'",
      }),
      flag('insecure', 'Accept any certificate of the real API'),
      text('limit', 'Largest body to learn from, in bytes; longer ones pass through', {
        default: '8388608',
      }),
      ...optionsNamed('port', 'host', 'allow-host', 'quiet'),
    ],
  },
  drift: {
    usage: 'drift <url | file> [paths..]',
    description:
      'Report where the fixtures differ from a live API, an OpenAPI document or a recording (HAR); exit with 1 if they do',
    takesPaths: true,
    options: [
      list('header', 'Header of every request to the API; can be repeated', {
        example: "'Authorization: Bearer <token>'",
      }),
      list('ignore', 'Paths to leave out, with * for any characters; can be repeated', {
        example: "'*.updatedAt'",
      }),
      flag('update', "Take the other side's shape over into the fixture files"),
      flag('json', 'Print the result as JSON'),
      text('pages', 'Most pages of a list to read from an API', { default: '3' }),
      text('timeout', 'Longest wait for a response of an API', { default: '10s' }),
      ...readOptions,
      // The options that decide at which paths and in which form resources are.
      ...optionsNamed('base', 'dialect', 'routes', 'foreignKeySuffix'),
    ],
  },
  mcp: {
    usage: 'mcp [url | paths..]',
    description:
      'Let coding agents control a mock over MCP: of a URL, else the one on the default port, else one of the fixtures',
    takesPaths: true,
    options: [
      text('session', 'Control this session alone, with data, rules, clock and log of its own', {
        example: 'agent',
      }),
      text('token', 'Token that a server beyond this machine prints', {
        example: 'my-token',
        env: 'MOCK_TOKEN',
        entry: 'token',
      }),
      text(
        'http',
        'Port of this machine to serve MCP over HTTP, instead of stdio; 0 picks a free one',
        { default: 'off', example: '3100' },
      ),
      ...readOptions,
    ],
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
  'generate',
  'import',
  'record',
  'drift',
  'mcp',
] as const

/** The name of a command. */
export type CommandName = (typeof commandNames)[number]

/** The flags of every command that print a text and do nothing else. */
export const infoFlags: readonly string[] = ['help', 'version']
