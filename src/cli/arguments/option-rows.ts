import { dialectNames } from '../../load/config/dialect-names.ts'
import type { Option } from './option.ts'
import { toDelay, toDialect, toPort, toServerUrl, toTtl } from './option-values.ts'

// Options of the command line as rows, from which the parsers, the help and the configuration are derived.

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
  {
    name: 'id',
    alias: 'i',
    type: 'text',
    description: 'Name of the field that identifies records',
    default: 'id',
    toConfig: (id) => ({ id }),
  },
]

/** The options of `mock server`. Other commands have some of them. */
export const serverOptions: readonly Option[] = [
  {
    name: 'port',
    alias: 'p',
    type: 'text',
    description: 'Port to listen on; 0 picks a free one',
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
    description: 'Prefix of every path, such as /api',
    example: '/api',
    toConfig: (base) => ({ base }),
  },
  {
    name: 'dialect',
    type: 'text',
    description: `Dialect of the API: ${dialectNames.join(', ')}`,
    default: 'rest',
    toConfig: (name) => ({ dialect: toDialect(name) }),
  },
  ...readOptions,
  {
    name: 'seed',
    type: 'text',
    description: 'Makes new ids and random choices repeatable',
    example: '1',
    toConfig: (text) => ({ seed: /^\d{1,9}$/.test(text) ? Number(text) : text }),
  },
  {
    name: 'delay',
    alias: 'd',
    type: 'text',
    description: 'Delay of every response in milliseconds: 200 or 200-800',
    example: '200-800',
    toConfig: (delay) => ({ delay: toDelay(delay) }),
  },
  {
    name: 'routes',
    alias: 'r',
    type: 'text',
    description: 'File of rules that rewrite URLs, like the routes.json of json-server',
    example: 'routes.json',
    toConfig: (routes) => ({ routes }),
  },
  {
    name: 'middlewares',
    alias: 'm',
    type: 'list',
    isGreedy: true,
    description: 'Files of Connect and Express middlewares, which need the package express',
    example: 'logger.js',
    toConfig: (middlewares) => ({ middlewares }),
  },
  {
    name: 'proxy',
    type: 'text',
    description: 'URL of a real server, which answers what no fixture answers',
    example: 'https://api.example.com',
    toConfig: (text) => ({ proxy: toServerUrl(text) }),
  },
  {
    name: 'foreignKeySuffix',
    type: 'text',
    description: 'Suffix of the keys that reference records: Ref for postRef',
    default: 'Id, ID and _id',
    example: 'Ref',
    toConfig: (foreignKeySuffix) => ({ foreignKeySuffix }),
  },
  {
    name: 'scenario',
    type: 'text',
    description: 'Scenario to start with: a folder in _scenarios',
    example: 'empty',
    toConfig: (scenario) => ({ scenario }),
  },
  {
    name: 'session-ttl',
    type: 'text',
    description: 'Give each X-Mock-Session header its own data for this long: 30m',
    example: '30m',
    toConfig: (text) => ({ sessionTtl: toTtl(text) }),
  },
  {
    name: 'persist',
    type: 'flag',
    description: 'Write changes made by requests to the fixture files',
    toConfig: (persist) => ({ persist }),
  },
  {
    name: 'read-only',
    type: 'flag',
    description: 'Refuse every request that writes',
    toConfig: (readOnly) => ({ readOnly }),
  },
  {
    name: 'watch',
    alias: 'w',
    type: 'flag',
    description: 'Reload edited fixtures, even if the configuration says not to',
    default: 'on',
    toConfig: (watch) => ({ watch }),
  },
  {
    name: 'no-watch',
    type: 'flag',
    description: 'Do not reload edited fixtures',
    toConfig: (isOff) => ({ watch: !isOff }),
  },
  {
    name: 'poll',
    type: 'flag',
    description: 'Check for edits every 100 ms, as network drives need',
    toConfig: (poll) => ({ poll }),
  },
  {
    name: 'static',
    alias: 's',
    type: 'list',
    description: 'Folder of static files for paths that match no resource; can be repeated',
    example: 'public',
    toConfig: (folders) => ({ static: folders.length > 1 ? folders : folders.join('') }),
  },
  {
    name: 'static-symlinks',
    type: 'flag',
    description: 'Follow symbolic links out of the folders of --static',
    toConfig: (staticSymlinks) => ({ staticSymlinks }),
  },
  {
    name: 'cors-origin',
    type: 'text',
    description: 'Origins that may read responses: loopback, none, * or a comma-separated list',
    default: 'loopback',
    toConfig: (corsOrigin) => ({ corsOrigin }),
  },
  {
    name: 'allow-host',
    type: 'text',
    description: 'More host names to answer to, comma-separated',
    example: 'api.test',
    toConfig: (allowHost) => ({ allowHost }),
  },
  {
    name: 'trust-proxy',
    type: 'flag',
    description: 'Take the scheme and host of links from X-Forwarded-* and Forwarded',
    toConfig: (trustProxy) => ({ trustProxy }),
  },
  {
    name: 'https',
    type: 'flag',
    description: 'Serve over HTTPS, with a self-signed certificate unless --cert is given',
    toConfig: (https) => ({ https }),
  },
  {
    name: 'cert',
    type: 'text',
    description: 'Certificate file (PEM) for --https',
    example: 'cert.pem',
    toConfig: (cert) => ({ cert }),
  },
  {
    name: 'key',
    type: 'text',
    description: 'Private key file (PEM) for --https',
    example: 'key.pem',
    toConfig: (key) => ({ key }),
  },
  {
    name: 'types',
    type: 'text',
    description: 'File for TypeScript types of the fixtures, kept up to date',
    example: 'fixtures.d.ts',
    toConfig: (types) => ({ types }),
  },
  {
    name: 'open',
    alias: 'o',
    type: 'flag',
    description: 'Open the browser when the server is ready',
    toConfig: (open) => ({ open }),
  },
  {
    name: 'quiet',
    alias: 'q',
    type: 'flag',
    description: 'Print only problems',
    toConfig: (quiet) => ({ quiet }),
  },
]

/** Returns the options of `mock server` with some names, for another command that has them too. */
export function serverOptionsNamed(...names: readonly string[]): Option[] {
  return serverOptions.filter(({ name }) => names.includes(name))
}
