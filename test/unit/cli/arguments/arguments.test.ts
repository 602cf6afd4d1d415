import { describe, expect, it } from 'vitest'

import { commandNames, commands } from '../../../../src/cli/arguments/commands.ts'
import { type Arguments, parseArguments } from '../../../../src/cli/arguments/parse-arguments.ts'
import { toConfig } from '../../../../src/cli/arguments/to-config.ts'
import configSchema from '../../../../schemas/config.json' with { type: 'json' }

describe('parseArguments', () => {
  const valid: [line: string, expected: Arguments][] = [
    ['', { command: 'server', paths: [], values: {} }],
    ['fixtures', { command: 'server', paths: ['fixtures'], values: {} }],
    ['server', { command: 'server', paths: [], values: {} }],
    ['server a b', { command: 'server', paths: ['a', 'b'], values: {} }],
    ['server server', { command: 'server', paths: ['server'], values: {} }],
    ['check a', { command: 'check', paths: ['a'], values: {} }],
    ['init', { command: 'init', paths: [], values: {} }],
    ['--id key check a', { command: 'check', paths: ['a'], values: { id: 'key' } }],
    ['-p 80 -q a', { command: 'server', paths: ['a'], values: { port: '80', quiet: true } }],
    ['-p80 a', { command: 'server', paths: ['a'], values: { port: '80' } }],
    ['--port=80', { command: 'server', paths: [], values: { port: '80' } }],
    ['--port 1 --port 2', { command: 'server', paths: [], values: { port: '2' } }],
    ['--port -1', { command: 'server', paths: [], values: { port: '-1' } }],
    ['--no-watch a', { command: 'server', paths: ['a'], values: { 'no-watch': true } }],
    ['--watch db.json', { command: 'server', paths: ['db.json'], values: { watch: true } }],
    ['--read-only=false a', { command: 'server', paths: ['a'], values: { 'read-only': false } }],
    [
      '--read-only=false --port 1 --port 2 --poll',
      { command: 'server', paths: [], values: { 'read-only': false, port: '2', poll: true } },
    ],
    ['--help=false a', { command: 'server', paths: ['a'], values: {} }],
    [
      '--poll=true -- --persist=no',
      { command: 'server', paths: ['--persist=no'], values: { poll: true } },
    ],
    ['a -- -b', { command: 'server', paths: ['a', '-b'], values: {} }],
    [
      'db.json -s a --static b c',
      { command: 'server', paths: ['db.json', 'c'], values: { static: ['a', 'b'] } },
    ],
    [
      'db.json --middlewares a.js b.js --port 1 -m c.js -- d',
      {
        command: 'server',
        paths: ['db.json', 'd'],
        values: { middlewares: ['a.js', 'b.js', 'c.js'], port: '1' },
      },
    ],
    [
      '-m a.js -mb.js --middlewares=c.js db.json',
      {
        command: 'server',
        paths: ['db.json'],
        values: { middlewares: ['a.js', 'b.js', 'c.js'] },
      },
    ],
    [
      'db.json --ro --fks _id --nc',
      {
        command: 'server',
        paths: ['db.json'],
        values: { 'read-only': true, foreignKeySuffix: '_id', 'cors-origin': 'none' },
      },
    ],
    [
      '--readOnly=false --no-cors=true --no-cors=false -- --ro',
      {
        command: 'server',
        paths: ['--ro'],
        values: { 'read-only': false, 'cors-origin': 'none' },
      },
    ],
    ['12 007', { command: 'server', paths: ['12', '007'], values: {} }],
  ]

  const refused: [line: string, message: string][] = [
    [
      '--prot 3',
      'Failed to read "--prot": "mock server" has no such option. Did you mean "--port"?',
    ],
    [
      'check --constructor',
      'Failed to read "--constructor": "mock check" has no such option. Known: --config, --id, --help, --version.',
    ],
    [
      'check --__proto__ 3',
      'Failed to read "--__proto__": "mock check" has no such option. Known: --config, --id, --help, --version.',
    ],
    [
      '--nowatch',
      'Failed to read "--nowatch": "mock server" has no such option. Did you mean "--no-watch"?',
    ],
    [
      'db.json --ng',
      'Failed to read "--ng": "mock server" has no such option. Please leave it out: a response is only compressed if the client accepts it.',
    ],
    [
      'db.json -S ./snapshots',
      'Failed to read "-S": "mock server" has no such option. Please leave it out: the key s saves a snapshot, the key b restores it.',
    ],
    [
      'check --port 3',
      'Failed to read "--port": "mock check" has no such option. Known: --config, --id, --help, --version.',
    ],
    [
      '--persist=no',
      'Failed to read --persist: "no" is neither true nor false. Please write --persist.',
    ],
    ['--help=yes', 'Failed to read --help: "yes" is neither true nor false. Please write --help.'],
    [
      'check --version=1',
      'Failed to read --version: "1" is neither true nor false. Please write --version.',
    ],
    [
      '--persist=no -- a',
      'Failed to read --persist: "no" is neither true nor false. Please write --persist.',
    ],
    ['--port', 'Failed to read --port: it has no value. Please write --port 3000.'],
    ['--config', 'Failed to read --config: it has no value. Please write --config mock.config.js.'],
    [
      'db.json --middlewares',
      'Failed to read --middlewares: it has no value. Please write --middlewares logger.js.',
    ],
    [
      'db.json --middlewares --port 1',
      'Failed to read --middlewares: it has no value. Please write --middlewares logger.js.',
    ],
    ['--base', 'Failed to read --base: it has no value. Please write --base /api.'],
    ['--base -p 80', 'Failed to read --base: it has no value. Please write --base /api.'],
    [
      '--dial rest',
      'Failed to read "--dial": "mock server" has no such option. Did you mean "--dialect"?',
    ],
    ['init a', 'Failed to run "init": it takes no paths. Please leave out "a".'],
  ]

  it.each(valid)('parses "%s"', async (line, expected) => {
    expect(await parse(line)).toEqual(expected)
  })

  it.each(refused)('refuses "%s"', async (line, message) => {
    await expect(parse(line)).rejects.toMatchObject({ name: 'MockError', message })
  })

  it('advises a single word for every option without its value', async () => {
    for (const command of commandNames) {
      for (const { name, type } of commands[command].options) {
        if (type === 'flag') continue
        const error: unknown = await parse(`${command} --${name}`).catch(
          (thrown: unknown) => thrown,
        )
        const [, advice] = /Please write (.*)\.$/.exec(String(error)) ?? []
        expect(advice).toMatch(new RegExp(`^--${name} ([^\\s<>']+|'[^']+')$`))
      }
    }
  })

  it('gives help for every command, with every option', async () => {
    for (const name of commandNames) {
      const parsed = await parse(`${name} --help`)
      const text = 'text' in parsed ? parsed.text : ''
      expect(text).toContain(`mock ${commands[name].usage}`)
      for (const option of commands[name].options) expect(text).toContain(`--${option.name} `)
    }
  })

  it('gives help that is readable on 40 columns', async () => {
    const parsed = await parseArguments(['--help'], 40)
    const lines = 'text' in parsed ? parsed.text.split('\n') : []
    expect(lines.filter((line) => line.length > 40)).toEqual([])
    expect(lines.length).toBeGreaterThan(20)
  })
})

describe('toConfig', () => {
  const rows: [line: string, env: Record<string, string>, expected: object][] = [
    ['', {}, {}],
    ['--port 80', {}, { port: 80 }],
    ['', { PORT: '81' }, { port: 81 }],
    ['', { PORT: '' }, {}],
    ['', { PORT: '81 ' }, { port: 81 }],
    ['', { PORT: ' ' }, {}],
    ['--port 80', { PORT: '81' }, { port: 80 }],
    ['--port 0', {}, { port: 0 }],
    ['--host ::1 --base /api', {}, { host: '::1', base: '/api' }],
    ['--base=', {}, { base: '' }],
    ['--dialect json-server-0', {}, { dialect: 'json-server-0' }],
    ['--seed 7', {}, { seed: 7 }],
    ['--seed x7', {}, { seed: 'x7' }],
    ['--delay 200-800', {}, { delay: '200-800' }],
    ['--session-ttl 30m', {}, { sessionTtl: '30m' }],
    ['--read-only --no-watch --poll', {}, { readOnly: true, watch: false, poll: true }],
    ['--watch --persist', {}, { watch: true, persist: true }],
    ['--watch=false --persist=false', {}, { watch: false, persist: false }],
    ['--no-watch=false --https=false', {}, { watch: true, https: false }],
    ['--quiet=true --open=false --open', {}, { quiet: true, open: true }],
    ['--https --open --quiet', {}, { https: true, open: true, quiet: true }],
    ['--cors-origin * --allow-host a,b', {}, { corsOrigin: '*', allowHost: 'a,b' }],
    ['--static public --cert c --key k', {}, { static: 'public', cert: 'c', key: 'k' }],
    ['--static a --static b', {}, { static: ['a', 'b'] }],
    ['-m a.js b.js', {}, { middlewares: ['a.js', 'b.js'] }],
    ['--routes r.json --foreignKeySuffix _id', {}, { routes: 'r.json', foreignKeySuffix: '_id' }],
    ['--id key --scenario empty', {}, { id: 'key', scenario: 'empty' }],
  ]

  it.each(rows)('takes "%s" with %j', async (line, env, expected) => {
    const parsed = await parse(line)
    expect('text' in parsed ? undefined : toConfig(parsed, env)).toEqual(expected)
  })

  const wrong: [line: string, env: Record<string, string>, message: string][] = [
    [
      '--port x',
      {},
      'Failed to read --port: "x" is not a port. Please give a number from 0 to 65535.',
    ],
    [
      '--port 65536',
      {},
      'Failed to read --port: "65536" is not a port. Please give a number from 0 to 65535.',
    ],
    [
      '',
      { PORT: '3e3' },
      'Failed to read PORT: "3e3" is not a port. Please give a number from 0 to 65535.',
    ],
    ['--host= a', {}, 'Failed to read --host: it has no value. Please write --host localhost.'],
    [
      '--dialect json-server-2',
      {},
      'Failed to read --dialect: "json-server-2" is not a dialect. Did you mean "json-server-0"?',
    ],
    [
      '--delay soon',
      {},
      'Failed to read --delay: "soon" is not a delay. Please give 200, 2s or 200-800.',
    ],
  ]

  it('overrides entries that a configuration file can have', () => {
    const entries = commandNames.flatMap((name) =>
      commands[name].options.flatMap(({ entry = [] }) => entry),
    )
    expect(Object.keys(configSchema.properties)).toEqual(expect.arrayContaining(entries))
  })

  it.each(wrong)('refuses "%s" with %j', async (line, env, message) => {
    const parsed = await parse(line)
    expect(() => toConfig(parsed as Arguments, env)).toThrow(message)
  })
})

async function parse(line: string): Promise<Arguments | { text: string }> {
  const parsed = await parseArguments(line.split(' ').filter(Boolean), 80)
  return 'values' in parsed ? { ...parsed, values: { ...parsed.values } } : parsed
}
