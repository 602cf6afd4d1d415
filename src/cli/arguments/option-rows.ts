import { isDelay, isDuration } from '../../core/time/duration.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { DialectName } from '../../core/mock/file-config.ts'
import { dialectNames, isDialectName } from '../../load/config/dialect-names.ts'
import { isPort } from '../../faces/node/serve-options.ts'
import type { Option } from './option.ts'

/** What every command that reads fixtures takes. */
export const reading: readonly Option[] = [
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
export const serving: readonly Option[] = [
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
    name: 'delay',
    alias: 'd',
    type: 'text',
    description: 'Milliseconds that every answer takes: 200 or 200-800',
    toConfig: (delay) => ({ delay: toDelay(delay) }),
  },
  {
    name: 'scenario',
    type: 'text',
    description: 'Scenario below _scenarios that is on at the start',
    toConfig: (scenario) => ({ scenario }),
  },
  {
    name: 'session-ttl',
    type: 'text',
    description: 'Give each X-Mock-Session its own data, kept this long: 30m',
    toConfig: (text) => ({ sessionTtl: toTtl(text) }),
  },
  {
    name: 'persist',
    type: 'flag',
    description: 'Keep what requests write in the fixtures',
    toConfig: (persist) => ({ persist }),
  },
  {
    name: 'read-only',
    type: 'flag',
    description: 'Refuse every write',
    toConfig: (readOnly) => ({ readOnly }),
  },
  {
    name: 'watch',
    alias: 'w',
    type: 'flag',
    description: 'Serve edited fixtures, whatever the config says',
    default: 'on',
    toConfig: (watch) => ({ watch }),
  },
  {
    name: 'no-watch',
    type: 'flag',
    description: 'Do not serve edited fixtures',
    toConfig: (isOff) => ({ watch: !isOff }),
  },
  {
    name: 'poll',
    type: 'flag',
    description: 'Look for edits every 100 ms, for network drives',
    toConfig: (poll) => ({ poll }),
  },
  {
    name: 'static',
    alias: 's',
    type: 'text',
    description: 'Folder of files to serve where the mock has nothing',
    toConfig: (folder) => ({ static: folder }),
  },
  {
    name: 'cors-origin',
    type: 'text',
    description: 'Whose pages may read: loopback, none, * or origins with commas',
    default: 'loopback',
    toConfig: (corsOrigin) => ({ corsOrigin }),
  },
  {
    name: 'allow-host',
    type: 'text',
    description: 'Further host names to answer to, with commas',
    toConfig: (allowHost) => ({ allowHost }),
  },
  {
    name: 'https',
    type: 'flag',
    description: 'Speak TLS, with a certificate of its own where none is given',
    toConfig: (https) => ({ https }),
  },
  {
    name: 'cert',
    type: 'text',
    description: 'Certificate file (PEM) for --https',
    toConfig: (cert) => ({ cert }),
  },
  {
    name: 'key',
    type: 'text',
    description: 'Key file (PEM) for --https',
    toConfig: (key) => ({ key }),
  },
  {
    name: 'open',
    alias: 'o',
    type: 'flag',
    description: 'Open the browser once the server answers',
    toConfig: (open) => ({ open }),
  },
  {
    name: 'quiet',
    alias: 'q',
    type: 'flag',
    description: 'Print problems only',
    toConfig: (quiet) => ({ quiet }),
  },
]

function toPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (isPort(port)) return port
  throw wrong(`"${text}" is no port. Please give a number from 0 to 65535.`)
}

function toDialect(name: string): DialectName {
  if (isDialectName(name)) return name
  throw wrong(`"${name}" is no dialect. ${suggest(name, dialectNames)}`)
}

function toDelay(text: string): string {
  if (isDelay[0](text)) return text
  throw wrong(`"${text}" is no delay. Please give 200, 2s or 200-800.`)
}

function toTtl(text: string): string {
  if (isDuration[0](text)) return text
  throw wrong(`"${text}" is no duration. Please give ${isDuration[1]}.`)
}

function wrong(reason: string): MockError {
  return new MockError(reason, { code: 'USAGE' })
}
