import type { FileConfig } from '../../core/mock/file-config.ts'
import { dialectNames } from '../../load/config/dialect-names.ts'
import { flag, list, type Option, text } from './option.ts'
import { toCount, toDelay, toDialect, toPort, toServerUrl, toTtl } from './option-values.ts'

/** Sets the configuration entry of each row to its name in camel case, unless the row names another entry. */
function withEntries(rows: readonly Option[]): Option[] {
  return rows.map((row) => {
    const entry = row.name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return { entry: entry as keyof FileConfig, ...row }
  })
}

/** The options of all commands that read fixtures. */
export const readOptions: readonly Option[] = [
  text('config', 'Configuration file', {
    alias: 'c',
    default: 'mock.config.*',
    example: 'mock.config.js',
  }),
  ...withEntries([
    text('id', 'Name of the field that identifies records', { alias: 'i', default: 'id' }),
  ]),
]

/** Where a mock is served, and in which dialect. */
const addressOptions = withEntries([
  text('port', 'Port to listen on; 0 picks a free one', {
    alias: 'p',
    default: '3000',
    env: 'PORT',
    parse: toPort,
  }),
  text('host', 'Address to listen on', { alias: 'H', default: 'localhost' }),
  text('base', 'Prefix of every path, such as /api', { example: '/api' }),
  text('dialect', `Dialect of the API: ${dialectNames.join(', ')}`, {
    default: 'rest',
    parse: toDialect,
  }),
])

/** The other options of `mock server`, which override entries of the configuration. */
const furtherOptions = withEntries([
  text('seed', 'Makes new ids and random choices repeatable', {
    example: '1',
    parse: (seed) => (/^\d{1,9}$/.test(seed) ? Number(seed) : seed),
  }),
  text('count', 'Records of each collection of an OpenAPI document that has no fixture', {
    default: '20',
    parse: toCount,
  }),
  text('delay', 'Delay of every response in milliseconds: 200 or 200-800', {
    alias: 'd',
    example: '200-800',
    parse: toDelay,
  }),
  text('routes', 'File of rules that rewrite URLs, like the routes.json of json-server', {
    alias: 'r',
    example: 'routes.json',
  }),
  list('middlewares', 'Files of Connect and Express middlewares, which need the package express', {
    alias: 'm',
    isGreedy: true,
    example: 'logger.js',
  }),
  text('proxy', 'URL of a real server, which answers what no fixture answers', {
    example: 'https://api.example.com',
    parse: toServerUrl,
  }),
  text('foreignKeySuffix', 'Suffix of the keys that reference records: Ref for postRef', {
    default: 'Id, ID and _id',
    example: 'Ref',
  }),
  text('scenario', 'Scenario to start with: a folder in _scenarios', { example: 'empty' }),
  text('session-ttl', 'Give each X-Mock-Session header its own data for this long: 30m', {
    example: '30m',
    parse: toTtl,
  }),
  flag('persist', 'Write changes made by requests to the fixture files'),
  flag('read-only', 'Refuse every request that writes'),
  flag('watch', 'Reload edited fixtures, even if the configuration says not to', {
    alias: 'w',
    default: 'on',
  }),
  flag('no-watch', 'Do not reload edited fixtures', { entry: 'watch', parse: (isOff) => !isOff }),
  flag('poll', 'Check for edits every 100 ms, as network drives need'),
  list('static', 'Folder of static files for paths that match no resource; can be repeated', {
    alias: 's',
    example: 'public',
    parse: (folders) => (folders.length > 1 ? folders : folders.join('')),
  }),
  flag('static-symlinks', 'Follow symbolic links out of the folders of --static'),
  text(
    'cors-origin',
    'Origins that may read responses: loopback, none, * or a comma-separated list',
    { default: 'loopback' },
  ),
  text('allow-host', 'More host names to answer to, comma-separated', { example: 'api.test' }),
  flag('trust-proxy', 'Take the scheme and host of links from X-Forwarded-* and Forwarded'),
  flag('https', 'Serve over HTTPS, with a self-signed certificate unless --cert is given'),
  text('cert', 'Certificate file (PEM) for --https', { example: 'cert.pem' }),
  text('key', 'Private key file (PEM) for --https', { example: 'key.pem' }),
  text('types', 'File for TypeScript types of the fixtures, kept up to date', {
    example: 'fixtures.d.ts',
  }),
  flag('open', 'Open the browser when the server is ready', { alias: 'o' }),
  flag('quiet', 'Print only problems', { alias: 'q' }),
])

/** The option of `mock server` that prints instead of serving. */
const listOption = flag('list', 'Print what each operation of the OpenAPI document does, and end')

/** The options of `mock server`. Other commands have some of them. */
export const serverOptions: readonly Option[] = [
  ...addressOptions,
  ...readOptions,
  ...furtherOptions,
  listOption,
]

/** Returns the options of `mock server` with some names, for another command that has them too. */
export function optionsNamed(...names: readonly string[]): Option[] {
  return serverOptions.filter(({ name }) => names.includes(name))
}
