import type { FileConfig } from '../../core/mock/file-config.ts'
import { dialectNames } from '../../load/config/dialect-names.ts'
import type { Option } from './option.ts'
import { toDelay, toDialect, toPort, toServerUrl, toTtl } from './option-values.ts'

/** Names the entry of each row that has the name of the option in camel case: `readOnly` for `read-only`. */
function withEntries(rows: readonly Option[]): Option[] {
  return rows.map((row) => {
    const entry = row.name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return { entry: entry as keyof FileConfig, ...row }
  })
}

/** The options of all commands that read fixtures. */
export const readOptions: readonly Option[] = [
  {
    name: 'config',
    alias: 'c',
    type: 'text',
    description: 'Configuration file',
    default: 'mock.config.*',
    example: 'mock.config.js',
  },
  ...withEntries([
    {
      name: 'id',
      alias: 'i',
      type: 'text',
      description: 'Name of the field that identifies records',
      default: 'id',
    },
  ]),
]

/** Where a mock is served, and in which dialect. */
const addressOptions = withEntries([
  {
    name: 'port',
    alias: 'p',
    type: 'text',
    description: 'Port to listen on; 0 picks a free one',
    default: '3000',
    env: 'PORT',
    parse: toPort,
  },
  {
    name: 'host',
    alias: 'H',
    type: 'text',
    description: 'Address to listen on',
    default: 'localhost',
  },
  {
    name: 'base',
    type: 'text',
    description: 'Prefix of every path, such as /api',
    example: '/api',
  },
  {
    name: 'dialect',
    type: 'text',
    description: `Dialect of the API: ${dialectNames.join(', ')}`,
    default: 'rest',
    parse: toDialect,
  },
])

/** The other options of the configuration. */
const furtherOptions = withEntries([
  {
    name: 'seed',
    type: 'text',
    description: 'Makes new ids and random choices repeatable',
    example: '1',
    parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text),
  },
  {
    name: 'delay',
    alias: 'd',
    type: 'text',
    description: 'Delay of every response in milliseconds: 200 or 200-800',
    example: '200-800',
    parse: toDelay,
  },
  {
    name: 'routes',
    alias: 'r',
    type: 'text',
    description: 'File of rules that rewrite URLs, like the routes.json of json-server',
    example: 'routes.json',
  },
  {
    name: 'middlewares',
    alias: 'm',
    type: 'list',
    isGreedy: true,
    description: 'Files of Connect and Express middlewares, which need the package express',
    example: 'logger.js',
  },
  {
    name: 'proxy',
    type: 'text',
    description: 'URL of a real server, which answers what no fixture answers',
    example: 'https://api.example.com',
    parse: toServerUrl,
  },
  {
    name: 'foreignKeySuffix',
    type: 'text',
    description: 'Suffix of the keys that reference records: Ref for postRef',
    default: 'Id, ID and _id',
    example: 'Ref',
  },
  {
    name: 'scenario',
    type: 'text',
    description: 'Scenario to start with: a folder in _scenarios',
    example: 'empty',
  },
  {
    name: 'session-ttl',
    type: 'text',
    description: 'Give each X-Mock-Session header its own data for this long: 30m',
    example: '30m',
    parse: toTtl,
  },
  {
    name: 'persist',
    type: 'flag',
    description: 'Write changes made by requests to the fixture files',
  },
  { name: 'read-only', type: 'flag', description: 'Refuse every request that writes' },
  {
    name: 'watch',
    alias: 'w',
    type: 'flag',
    description: 'Reload edited fixtures, even if the configuration says not to',
    default: 'on',
  },
  {
    name: 'no-watch',
    type: 'flag',
    description: 'Do not reload edited fixtures',
    entry: 'watch',
    parse: (isOff) => !isOff,
  },
  {
    name: 'poll',
    type: 'flag',
    description: 'Check for edits every 100 ms, as network drives need',
  },
  {
    name: 'static',
    alias: 's',
    type: 'list',
    description: 'Folder of static files for paths that match no resource; can be repeated',
    example: 'public',
    parse: (folders) => (folders.length > 1 ? folders : folders.join('')),
  },
  {
    name: 'static-symlinks',
    type: 'flag',
    description: 'Follow symbolic links out of the folders of --static',
  },
  {
    name: 'cors-origin',
    type: 'text',
    description: 'Origins that may read responses: loopback, none, * or a comma-separated list',
    default: 'loopback',
  },
  {
    name: 'allow-host',
    type: 'text',
    description: 'More host names to answer to, comma-separated',
    example: 'api.test',
  },
  {
    name: 'trust-proxy',
    type: 'flag',
    description: 'Take the scheme and host of links from X-Forwarded-* and Forwarded',
  },
  {
    name: 'https',
    type: 'flag',
    description: 'Serve over HTTPS, with a self-signed certificate unless --cert is given',
  },
  {
    name: 'cert',
    type: 'text',
    description: 'Certificate file (PEM) for --https',
    example: 'cert.pem',
  },
  {
    name: 'key',
    type: 'text',
    description: 'Private key file (PEM) for --https',
    example: 'key.pem',
  },
  {
    name: 'types',
    type: 'text',
    description: 'File for TypeScript types of the fixtures, kept up to date',
    example: 'fixtures.d.ts',
  },
  {
    name: 'open',
    alias: 'o',
    type: 'flag',
    description: 'Open the browser when the server is ready',
  },
  { name: 'quiet', alias: 'q', type: 'flag', description: 'Print only problems' },
])

/** The options of `mock server`. Other commands have some of them. */
export const serverOptions: readonly Option[] = [
  ...addressOptions,
  ...readOptions,
  ...furtherOptions,
]

/** Returns the options of `mock server` with some names, for another command that has them too. */
export function optionsNamed(...names: readonly string[]): Option[] {
  return serverOptions.filter(({ name }) => names.includes(name))
}
