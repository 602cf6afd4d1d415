import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { start } from '../start.ts'

const posts = [{ id: 1, title: 'a' }]

describe('a configuration that is saved while the server runs', () => {
  it.each([
    ['mock.config.json', ''],
    ['mock.config.mjs', ''],
    ['mock.config.ts', ''],
    ['mock.config.json', '--persist'],
  ])('is taken over with the data kept: %s %s', async (name, line) => {
    const { io, cwd, url } = await start(
      { 'fixtures/posts.json': posts, 'fixtures/a.json': [] },
      line,
    )
    await post(`${url}/posts`)
    const save = (config: object): void => {
      const text = JSON.stringify(config)
      writeFileSync(join(cwd, name), name.endsWith('json') ? text : `export default ${text}`)
    }
    save({ base: '/api' })
    // Requests while the mock is replaced are answered by one of the two.
    while ((await fetch(`${url}/api/posts`)).status === 404) {
      expect((await fetch(`${url}/a`)).status).toBeLessThan(500)
    }
    await io.printed(/Reloaded: the configuration\./)
    expect(await titles(`${url}/api/posts`)).toEqual(['a', 'new'])
    await post(`${url}/api/posts`)
    save({ base: '/v2' })
    await io.printed(/Reloaded: the configuration\.[^]*Reloaded: the configuration\./)
    expect(await titles(`${url}/v2/posts`)).toEqual(['a', 'new', 'new'])
    rmSync(join(cwd, name))
    await io.printed(/(?:Reloaded: the configuration\.[^]*){3}/)
    expect(await titles(`${url}/posts`)).toEqual(['a', 'new', 'new'])
  })

  it.each(['', '--poll', '-c json-server.json', '-c sub/mock.config.json'])(
    'is the file that the server reads: %s',
    async (line) => {
      const file = line.startsWith('-c') ? line.slice(3) : 'json-server.json'
      const { io, cwd, url } = await start(
        { 'fixtures/posts.json': posts, [file]: {}, 'sub/a.txt': '' },
        `fixtures ${line}`,
      )
      writeFileSync(join(cwd, file), '{ "port": "x" }')
      await expect.poll(() => io.err()).toMatch(/"port" cannot be "x"/)
      expect(await titles(`${url}/posts`)).toEqual(['a'])
    },
  )

  it('leaves out changes of resources that are not served any more', async () => {
    const { io, cwd, url } = await start({
      'fixtures/posts.json': posts,
      'fixtures/a.json': [],
      'other/posts.json': [{ id: 1, title: 'other' }],
    })
    await post(`${url}/a`)
    await post(`${url}/posts`)
    writeFileSync(join(cwd, 'mock.config.json'), '{ "fixtures": "other" }')
    await io.printed(/Reloaded: the configuration\./)
    expect(await titles(`${url}/posts`)).toEqual(['other', 'new'])
  })

  it('waits for a request in progress, whose record stays', async () => {
    const { io, cwd, url } = await start({
      'fixtures/posts.json': posts,
      'mock.config.json': { delay: 500 },
    })
    const posted = post(`${url}/posts`)
    writeFileSync(join(cwd, 'mock.config.json'), '{}')
    await posted
    await io.printed(/Reloaded: the configuration\./)
    expect(await titles(`${url}/posts`)).toEqual(['a', 'new'])
  })

  it.each([
    ['an option', '{ "prot": 1 }', /there is no "prot"\. Did you mean "port"\?/],
    ['its syntax', '{', /mock\.config\.json/],
    ['its fixtures', '{ "fixtures": "missing" }', /no such file or folder/],
    ['its dialect', '{ "dialect": "rset" }', /rset/],
  ])('is named if %s is wrong, while the last good one goes on', async (_title, text, message) => {
    const { io, cwd, url } = await start({
      'fixtures/posts.json': posts,
      'mock.config.json': { base: '/api', persist: true },
    })
    await post(`${url}/posts`)
    writeFileSync(join(cwd, 'mock.config.json'), text)
    await expect.poll(() => io.err()).toMatch(message)
    expect(await titles(`${url}/posts`)).toEqual(['a', 'new'])
    await post(`${url}/posts`)
    writeFileSync(join(cwd, 'mock.config.json'), '{ "base": "/v2" }')
    await io.printed(/Reloaded: the configuration\./)
    expect(await titles(url.replace('/api', '/v2') + '/posts')).toEqual(['a', 'new', 'new'])
  })

  it('stops a server with --persist whose fixtures cannot be loaded again', async () => {
    const { io, cwd, code } = await start({ 'fixtures/posts.json': posts }, '--persist')
    writeFileSync(join(cwd, 'fixtures/posts.json'), '[{')
    await expect.poll(() => io.err()).toMatch(/posts\.json/)
    writeFileSync(join(cwd, 'mock.config.json'), '{ "base": "/v2" }')
    await code
    expect(io.err()).toMatch(/Failed to load the fixtures again/)
    expect(io.err()).not.toMatch(/undefined/)
  })
})

async function post(url: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: '{"title":"new"}' })
  expect(response.status).toBe(201)
}

async function titles(url: string): Promise<unknown[]> {
  const list = (await (await fetch(url)).json()) as { title: unknown }[]
  return list.map(({ title }) => title)
}
