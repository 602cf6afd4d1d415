import { chmodSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../src/cli/main.ts'
import { createFolder, type Files } from '../loader/folder.ts'
import { createFakeIo } from './fake-io.ts'

const posts = [{ id: 1, title: 'Hello' }]

describe('main', () => {
  const refused: [title: string, line: string, files: Files, message: string][] = [
    [
      'half of a command',
      'serv',
      {},
      'Failed to run "serv": there is no such command. Did you mean "server"?',
    ],
    [
      'a missing folder with the name of a command',
      'server server --port 0',
      {},
      'Failed to read "server": there is no such file or folder. Please check the path, or run `npx fixtura init` for a first fixtures folder.',
    ],
    [
      'a missing file of rewrites',
      'server db.json --routes routs.json --port 0',
      { 'db.json': { posts }, 'routes.json': {} },
      'Failed to read "routs.json": there is no such file or folder. Did you mean "routes.json"?',
    ],
    [
      'a missing middleware',
      'server db.json --middlewares helo.js --port 0',
      { 'db.json': { posts }, 'hello.js': '' },
      'Failed to read "helo.js": there is no such file or folder. Did you mean "hello.js"?',
    ],
    [
      'a middleware that exports no function',
      'server db.json --middlewares hello.mjs --port 0',
      { 'db.json': { posts }, 'hello.mjs': 'export const a = 1' },
      'Failed to load the middleware "hello.mjs": it exports no function. Please export a function (request, response, next), or an array of functions.',
    ],
    [
      'a wrong rule in a file of rewrites',
      'server db.json -r routes.json --port 0',
      { 'db.json': { posts }, 'routes.json': { '/:a': '/:b' } },
      'routes.json: Failed to read the options of "rewrite": "/:b" has the parameter ":b", which "/:a" has not. Did you mean "a"?',
    ],
    [
      'an unknown host',
      'server --host 192.0.2.1 --port 0',
      { 'db.json': { posts } },
      'Failed to listen on "192.0.2.1:0": this machine has no such address. Please choose another host.',
    ],
    [
      'a missing static folder',
      'server --static public --port 0',
      { 'db.json': { posts } },
      'Failed to serve files from "{folder}/public": there is no such folder. Please check --static.',
    ],
    [
      'a static folder that is a file',
      'server --static db.json --port 0',
      { 'db.json': { posts } },
      'Failed to serve files from "{folder}/db.json": there is no such folder. Please check --static.',
    ],
    [
      'half a certificate',
      'server --https --cert a.pem --port 0',
      { 'db.json': { posts } },
      'Failed to serve https: --key is missing. Please give both --cert and --key, or neither.',
    ],
    [
      'a certificate that is not there',
      'server --cert a.pem --key b.pem --port 0',
      { 'db.json': { posts } },
      'Failed to read "a.pem": there is no such file or folder. Please check the path.',
    ],
    [
      'a certificate that is a folder',
      'server --cert fixtures --key db.json --port 0',
      { 'db.json': { posts }, 'fixtures/posts.json': posts },
      'Failed to read "fixtures": it is a folder. Please name a file.',
    ],
    [
      'an unknown scenario',
      'server --scenario emty --port 0',
      { 'fixtures/posts.json': posts, 'fixtures/_scenarios/empty/posts.json': [] },
      'Failed to find the scenario "emty" below _scenarios. Did you mean "empty"?',
    ],
    [
      'a configuration file that is not there',
      'server --config mock.conf.js',
      { 'mock.config.js': '' },
      'Failed to read "mock.conf.js": there is no such file or folder. Did you mean "mock.config.js"?',
    ],
    [
      'a configuration file where there is nothing like it',
      'server --config a/b.json',
      { 'a/z.txt': '' },
      'Failed to read "a/b.json": there is no such file or folder. Please check the path.',
    ],
    [
      'two configuration files',
      'check',
      { 'mock.config.json': {}, 'mock.config.js': '', 'mock.config.ts': '', 'db.json': { posts } },
      'Failed to read the configuration: there are several files, "mock.config.js" and "mock.config.json" and "mock.config.ts". Please keep one, or choose one with --config.',
    ],
    [
      'a configuration file of a kind that is not read',
      'check',
      { 'mock.config.yaml': 'port: 3', 'db.json': { posts } },
      'Failed to read "mock.config.yaml": .yaml files are not supported. Please write it as mock.config.json or mock.config.mjs.',
    ],
    [
      'one that is named',
      'check --config my.toml',
      { 'my.toml': '', 'db.json': { posts } },
      'Failed to read "my.toml": .toml files are not supported. Please write it as mock.config.json or mock.config.mjs.',
    ],
    [
      'an empty path',
      'server --port 0 ',
      { 'db.json': { posts } },
      'Failed to read the paths of the fixtures: it cannot be [""]. Please give a path that is not empty, or a list of paths.',
    ],
    [
      'an empty path in the configuration file',
      'server --port 0',
      { 'mock.config.json': { fixtures: '' }, 'db.json': { posts } },
      'mock.config.json: Failed to read the configuration: "fixtures" cannot be "". Please give a path that is not empty, or a list of paths.',
    ],
  ]

  it.each(refused)('refuses %s in one line', async (_title, line, files, message) => {
    const cwd = createFolder(files)
    const io = createFakeIo({ cwd })
    expect(await main(line.split(' '), io)).toBe(1)
    expect(io.err().replaceAll(cwd, '{folder}').replaceAll(sep, '/')).toBe(`${message}\n`)
    expect(io.out()).toBe('')
    expect(io.listeners()).toBe(0)
  })

  it('names a file without read permission', async () => {
    const cwd = createFolder({ 'fixtures/posts.json': posts })
    chmodSync(join(cwd, 'fixtures/posts.json'), 0)
    const io = createFakeIo({ cwd })
    const code = await main(['check'], io)
    // Root can read all files, and Windows has no such permissions.
    const mayRead = process.getuid?.() === 0 || process.platform === 'win32'
    expect(code).toBe(mayRead ? 0 : 1)
    if (!mayRead) expect(io.out()).toContain('"fixtures/posts.json": permission denied.')
  })

  it.each(['--version', '-v'])('prints its version for %s', async (option) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const io = createFakeIo()
    expect(await main([option], io)).toBe(0)
    expect(io.out()).toBe(`${version}\n`)
  })

  it.each(['-h', 'help check'])('prints help for %s', async (line) => {
    const io = createFakeIo()
    expect(await main(line.split(' '), io)).toBe(0)
    expect(io.out()).toMatch(/Options:\n/)
    expect(io.err()).toBe('')
  })
})
