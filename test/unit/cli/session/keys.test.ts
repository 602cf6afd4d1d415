import { EventEmitter } from 'node:events'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Io } from '../../../../src/cli/io.ts'
import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo, type FakeIo } from '../fake-io.ts'

const opened = vi.hoisted(() => vi.fn<(url: string) => unknown>(() => new EventEmitter()))
vi.mock('open', () => ({ default: opened }))

const posts = [{ id: 1, title: 'Hello' }]

describe('the keys of a running server', () => {
  it('are listed in the banner', async () => {
    const { io } = await start({ 'db.json': { posts } })
    expect(io.out()).toContain(
      '\n  r reset  s snapshot  b back to snapshot  d delay on/off  o open  q quit  ? keys\n',
    )
  })

  it('are listed if their behaviour is in use', async () => {
    const { io } = await start(
      { 'fixtures/posts.json': posts, 'fixtures/_scenarios/empty/posts.json': [] },
      '--delay 1',
    )
    expect(io.out()).toContain('  d delay on/off  n next scenario  o open')
  })

  it('reset the data', async () => {
    const { io, url } = await start({ 'db.json': { posts } })
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    io.press('r')
    expect(io.out()).toContain('\nReset: the data is back to what the files contain.\n')
    expect((await fetch(`${url}/posts/1`)).status).toBe(200)
  })

  it('keep a snapshot', async () => {
    const { io, url } = await start({ 'db.json': { posts } })
    io.press('s')
    const [, name = ''] = /Snapshot "(.*)" saved\./.exec(io.out()) ?? []
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    const restored = await fetch(`${url}/__mock/snapshots/${name}`, { method: 'POST' })
    expect(restored.status).toBeLessThan(300)
    expect((await fetch(`${url}/posts/1`)).status).toBe(200)
  })

  it('restore the last snapshot', async () => {
    const { io, url } = await start({ 'db.json': { posts } })
    io.press('b')
    expect(io.out()).toContain('\nThere is no snapshot yet. Please press s to save one.\n')
    io.press('s')
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    await fetch(`${url}/__mock/snapshots/last%1b`, { method: 'PUT' })
    io.press('b')
    expect(io.out()).toContain('\nSnapshot "last\\x1b" restored.\n')
    expect((await fetch(`${url}/posts/1`)).status).toBe(404)
    const [, name = ''] = /Snapshot "(.*)" saved\./.exec(io.out()) ?? []
    await fetch(`${url}/__mock/snapshots/${name}`, { method: 'POST' })
    expect((await fetch(`${url}/posts/1`)).status).toBe(200)
  })

  it.each(['?', 'h'])('are listed again by %s', async (key) => {
    const { io } = await start({ 'db.json': { posts } })
    const before = io.out().length
    io.press(key)
    expect(io.out().slice(before)).toBe(
      '  r reset  s snapshot  b back to snapshot  d delay on/off  o open  q quit  ? keys\n',
    )
  })

  it('switch the delay', async () => {
    const { io, url } = await start({ 'db.json': { posts } }, '--delay 1')
    io.press('d')
    await io.printed(/Delay: off\./)
    await fetch(`${url}/posts?a`)
    io.press('d')
    await io.printed(/Delay: on\./)
    await fetch(`${url}/posts?b`)
    await io.printed(/b +200 .* delayed 1 ms/)
    expect(io.out()).not.toMatch(/a +200 .* delayed/)
  })

  it('switch a delay of a second without the behaviour', async () => {
    const { io, url } = await start({ 'db.json': { posts } })
    io.press('d')
    await io.printed(/Delay: on, 1 second\./)
    await fetch(`${url}/posts?a`)
    // A timer can fire a millisecond early by the wall clock.
    await io.printed(/a +200 +(?:999 ms|1\.\d s)/)
    io.press('d')
    await io.printed(/Delay: off\./)
    await fetch(`${url}/posts?b`)
    await io.printed(/b +200 +\d{1,3} ms/)
  })

  it('go from one scenario to the next', async () => {
    const { io, url } = await start({
      'fixtures/posts.json': posts,
      'fixtures/_scenarios/empty/posts.json': [],
      'fixtures/_scenarios/other/posts.json': [{ id: 2 }],
    })
    io.press('n')
    await io.printed(/Scenario: empty\./)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([])
    io.press('n')
    await io.printed(/Scenario: other\./)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([{ id: 2 }])
    io.press('n')
    await io.printed(/Scenario: none\./)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual(posts)
  })

  it('open the home page, as --open does', async () => {
    const { io, url } = await start({ 'db.json': { posts } }, '--base /api')
    expect(opened).not.toHaveBeenCalled()
    io.press('o')
    await expect.poll(() => opened.mock.lastCall).toEqual([new URL('/', url).href])
    const other = await start({ 'db.json': { posts } }, '--open')
    await expect.poll(() => opened.mock.lastCall).toEqual([new URL('/', other.url).href])
  })

  it('print the error of a failed action', async () => {
    const { io, url } = await start({
      'fixtures/posts.json': posts,
      'mock.config.mjs': `export default {
        use: [{ name: 'scenarios', create: () => ({ controls: {
          GET: () => ({ active: null, scenarios: ['empty'] }),
          PUT() { throw new Error('There is no such scenario.') },
        } }) }],
      }`,
    })
    io.press('n')
    await io.printed(/There is no such scenario\./)
    expect((await fetch(`${url}/posts`)).status).toBe(200)
  })

  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('end the server with %s, and restore the terminal', async (_title, key) => {
    const { io, code } = await start({ 'db.json': { posts } })
    expect(io.raw).toEqual([true])
    io.press(key)
    expect(await code).toBe(0)
    expect(io.raw).toEqual([true, false])
    expect(io.reading).toEqual([true, false])
    expect(io.listeners()).toBe(0)
  })

  const others: [title: string, change: (io: FakeIo) => Partial<Io>, line: string][] = [
    ['standard input is no terminal', ({ stdin }) => ({ stdin: { ...stdin, isTTY: false } }), ''],
    [
      'standard output is no terminal',
      ({ stdout }) => ({ stdout: { ...stdout, isTTY: false } }),
      '',
    ],
    ['the server is quiet', () => ({}), '--quiet'],
  ]

  it.each(others)('are not read where %s', async (_title, change, line) => {
    const cwd = createFolder({ 'db.json': { posts } })
    const io = createFakeIo({ cwd, columns: 100 })
    const code = main([...line.split(' ').filter(Boolean), '--port', '0'], { ...io, ...change(io) })
    await expect.poll(() => io.listeners()).toBeGreaterThan(0)
    io.send('SIGTERM')
    expect(await code).toBe(0)
    expect([io.raw, io.reading]).toEqual([[], []])
  })

  it('restore the terminal on a signal too', async () => {
    const { io, code } = await start({ 'db.json': { posts } })
    io.send('SIGTERM')
    expect(await code).toBe(0)
    expect(io.raw).toEqual([true, false])
  })

  it('suspend the program, and set the terminal up again when it continues', async () => {
    const { io } = await start({ 'db.json': { posts } })
    io.press('\u001A')
    expect(io.raw).toEqual([true, false])
    expect(io.sent).toEqual(['SIGTSTP to 0'])
    io.send('SIGCONT')
    expect(io.raw).toEqual([true, false, true])
  })

  it('keep working where the system cannot suspend, as on Windows', async () => {
    const { io } = await start({ 'db.json': { posts } })
    io.kill = () => {
      throw new TypeError('Unknown signal: SIGTSTP')
    }
    io.press('\u001A')
    io.press('r')
    await io.printed(/Reset:/)
    expect(io.raw.at(-1)).toBe(true)
    expect(io.err()).toBe('')
  })

  it('ignore unknown keys, and accept several keys at once', async () => {
    const { io, code } = await start({ 'db.json': { posts } })
    io.press('x\u001B[Arq')
    expect(await code).toBe(0)
    expect(io.out()).toContain('Reset:')
  })
})

describe('a narrow terminal', () => {
  it.each([40, 50, 60])('shows the banner in %i columns', async (columns) => {
    const files = {
      'fixtures/productCategories.json': [],
      'fixtures/_scenarios/empty/productCategories.json': [],
    }
    const { io } = await start(files, '--delay 1', columns)
    const lines = io.out().split('\n')
    expect(lines.filter((line) => line.length > columns)).toEqual([])
    expect(io.out()).toContain('/productCategories  0 records')
  })

  it('shows the reason below the request if the line is too long', async () => {
    const { io, url } = await start({ 'db.json': { posts } }, '', 50)
    await fetch(`${url}/posts?_page=x`)
    await io.printed(/^GET {4}\/posts\?_page=x +400 +\d+ ms +\d+ B\n {7}Failed to read "_page"/m)
  })
})

/** Starts `mock server` on a terminal without colours. */
async function start(
  files: Files,
  line = '',
  columns = 100,
): Promise<{ io: FakeIo; code: Promise<number>; url: string }> {
  const io = createFakeIo({ cwd: createFolder(files), columns, env: { NO_COLOR: '1' } })
  const code = main([...line.split(' ').filter(Boolean), '--port', '0'], io)
  onTestFinished(async () => {
    io.send('SIGTERM')
    await code
  })
  await io.printed(/\? keys\n/)
  const url = /http\S+/.exec(io.out())?.[0] ?? ''
  return { io, code, url }
}
