import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createRandom } from '../../src/core/time/random.ts'
import { internalsOf } from '../../src/core/http/contract/internals.ts'
import type { Mock } from '../../src/index.ts'
import { loadMock, serve } from '../../src/node.ts'
import { type Program, startProgram } from '../cli/program.ts'
import { seed } from '../seed.ts'
import { createFolder } from '../unit/loader/folder.ts'

/** All 30 rounds take a minute; a few of them run every time. */
const rounds = process.env['FIXTURA_SOAK'] ? 30 : 3

const config = {
  use: { files: { users: { avatar: { maxSize: '1GB' } }, uploads: { expires: '1d' } } },
}

describe('files on the disk', () => {
  const folder = (): string =>
    createFolder({
      'mock.config.json': { persist: true, ...config },
      'fixtures/users.json': [
        { id: 1, avatar: './img/ada.txt' },
        { id: 2, avatar: './img/../../secret.txt' },
        { id: 3, avatar: './img/link.txt' },
        { id: 4, avatar: './.env' },
        { id: 5, avatar: './img' },
        { id: 6 },
      ],
      'fixtures/img/ada.txt': 'Ada',
      'fixtures/.env': 'secret',
      'secret.txt': 'secret',
    })
  const send = (mock: Mock, line: string, init: RequestInit = {}): Promise<Response> => {
    const [method = 'GET', path = '/'] = line.split(' ')
    return mock.fetch(new Request(`http://x${path}`, { method, ...init }))
  }
  const finish = (mock: Mock): unknown => internalsOf(mock).background?.finish()
  const png = { body: 'PNG', headers: { 'content-type': 'image/png' } }

  it('serves a file beside the fixture as it is now, and none outside of the folder', async () => {
    const cwd = folder()
    symlinkSync(join(cwd, 'secret.txt'), join(cwd, 'fixtures/img/link.txt'))
    const mock = await loadMock(join(cwd, 'mock.config.json'))
    const read = async (id: number): Promise<unknown> => {
      const answer = await send(mock, `GET /users/${id}/avatar`)
      return answer.ok ? answer.text() : answer.status
    }
    expect(await Promise.all([1, 2, 3, 4, 5].map(read))).toEqual(['Ada', 404, 404, 404, 404])
    const first = await send(mock, 'GET /users/1/avatar')
    writeFileSync(join(cwd, 'fixtures/img/ada.txt'), 'Ada Lovelace')
    const second = await send(mock, 'GET /users/1/avatar')
    expect(await second.text()).toBe('Ada Lovelace')
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
    await finish(mock)
  })

  it('writes a file into _files, where the next start finds it, and removes it with its record', async () => {
    const cwd = folder()
    const path = join(cwd, 'mock.config.json')
    const mock = await loadMock(path)
    await send(mock, 'PUT /users/6/avatar', png)
    const [name = ''] = readdirSync(join(cwd, 'fixtures/_files'))
    expect(name).toMatch(/^[\da-z]{16}-avatar\.png$/)
    expect(readFileSync(join(cwd, 'fixtures/_files', name), 'utf8')).toBe('PNG')
    await finish(mock)
    expect(JSON.parse(readFileSync(join(cwd, 'fixtures/users.json'), 'utf8'))).toContainEqual({
      id: 6,
      avatar: `./_files/${name}`,
    })
    expect(readdirSync(join(cwd, 'fixtures'))).not.toContain('.fixtura')
    const next = await loadMock(path)
    const answer = await send(next, 'GET /users/6/avatar')
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['PNG', 'image/png'])
    writeFileSync(join(cwd, 'fixtures/_files', name), 'by hand')
    expect(await (await send(next, 'GET /users/6/avatar')).text()).toBe('by hand')
    await send(next, 'DELETE /users/6')
    await expect.poll(() => existsSync(join(cwd, 'fixtures/_files')), { interval: 5 }).toBe(false)
    await finish(next)
  })

  it('brings a removed file back with a snapshot', async () => {
    const cwd = folder()
    const mock = await loadMock(join(cwd, 'mock.config.json'))
    await send(mock, 'PUT /users/6/avatar', png)
    mock.snapshot('a')
    await send(mock, 'PUT /users/6/avatar', { ...png, body: 'other' })
    await send(mock, 'DELETE /users/6')
    await expect.poll(() => existsSync(join(cwd, 'fixtures/_files')), { interval: 5 }).toBe(false)
    mock.restore('a')
    expect(await (await send(mock, 'GET /users/6/avatar')).text()).toBe('PNG')
    expect(readdirSync(join(cwd, 'fixtures/_files'))).toHaveLength(1)
    await finish(mock)
  })

  it('leaves nothing of a refused form', async () => {
    const cwd = folder()
    const mock = await loadMock(join(cwd, 'mock.config.json'))
    const { url, close } = await serve(mock, { port: 0 })
    const body = new FormData()
    body.append('id', '1')
    body.append('avatar', new Blob(['PNG'], { type: 'image/png' }), 'ä.png')
    expect((await fetch(`${url}/users`, { method: 'POST', body })).status).toBe(409)
    expect(readdirSync(join(cwd, 'fixtures/.fixtura/files'))).toEqual([])
    body.set('id', '7')
    const made = await fetch(`${url}/users`, { method: 'POST', body })
    expect(await made.json()).toEqual({ id: '7', avatar: `${url}/users/7/avatar` })
    const read = await fetch(`${url}/users/7/avatar`)
    expect(read.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%A4.png")
    await close()
    await finish(mock)
  })

  it('reads the parts of a form that arrives in pieces', async () => {
    const cwd = folder()
    const mock = await loadMock(join(cwd, 'mock.config.json'))
    const { url, close } = await serve(mock, { port: 0 })
    const content = '\r\n--b\r\n-\r\n--bo'
    const form = `--bound\r\nContent-Disposition: form-data; name="name"\r\n\r\nEve\r\n--bound\r\nContent-Disposition: form-data; name="avatar"; filename="e.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--bound--\r\n`
    const sent = request(`${url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=bound' },
    })
    for (let at = 0; at < form.length; at += 3) {
      sent.write(form.slice(at, at + 3))
      await new Promise((resolve) => setImmediate(resolve))
    }
    sent.end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    expect(answer.statusCode).toBe(201)
    expect(await (await fetch(`${url}/users/7/avatar`)).text()).toBe(content)
    await close()
    await finish(mock)
  })
})

describe('a server that persists files', () => {
  async function start(cwd: string): Promise<Program & { url: string }> {
    const args = ['server', 'fixtures', '--persist', '--port', '0', '--host', '127.0.0.1']
    const program = startProgram([...args, '--config', 'mock.config.json'], cwd)
    const [url] = await program.printed(/http:\/\/127\.0\.0\.1:\d+/)
    return { ...program, url }
  }

  it(`loses nothing in ${rounds} rounds of uploads and kill -9, seed ${seed}`, async () => {
    const random = createRandom(seed)
    const ids = [1, 2, 3, 4]
    const cwd = createFolder({
      'mock.config.json': config,
      'fixtures/users.json': ids.map((id) => ({ id, avatar: null })),
    })
    const draw = (): string =>
      String.fromCharCode(97 + Math.floor(random() * 26)).repeat(Math.floor(random() * 200_000))
    /** What each file may hold: what was acknowledged last, and what was sent after that. */
    const expected = new Map(ids.map((id) => [id, ['']]))
    const tus = { content: 'abcdefghij'.repeat(500_000), url: '', acknowledged: 0 }
    for (let round = 0; round < rounds; round++) {
      const { url, child, ended } = await start(cwd)
      for (const id of ids) {
        const answer = await fetch(`${url}/users/${id}/avatar`)
        const text = answer.status === 404 ? '' : await answer.text()
        expect(expected.get(id)?.includes(text), `round ${round}, file ${id}`).toBe(true)
        expected.set(id, [text])
      }
      await continueTus(url, tus, round)
      let count = 0
      const load = ids.map(async (id) => {
        for (;;) {
          const body = draw()
          const known = expected.get(id) ?? []
          known.push(body)
          const headers = { 'content-type': 'text/plain' }
          const init = { method: 'PUT', body, headers }
          const answer = await fetch(`${url}/users/${id}/avatar`, init).catch(() => undefined)
          if (!answer) return
          expect([200, 201]).toContain(answer.status)
          expected.set(id, [body])
          count++
        }
      })
      const wanted = 10 + Math.floor(random() * 60)
      await expect.poll(() => count, { interval: 5, timeout: 20_000 }).toBeGreaterThan(wanted)
      child.kill('SIGKILL')
      await ended
      await Promise.all(load)
    }
    const last = await start(cwd)
    await continueTus(last.url, tus, Infinity)
    for (const id of ids) {
      const answer = await fetch(`${last.url}/users/${id}/avatar`)
      expect(expected.get(id)).toContain(await answer.text())
    }
    last.child.kill('SIGTERM')
    expect(await last.ended).toEqual({ code: 0, signal: null })
    expect(readdirSync(join(cwd, 'fixtures/_files'))).toHaveLength(ids.length)
  }, 300_000)

  /** Continues an upload by tus from what was acknowledged; a quarter of the rest in a round. */
  async function continueTus(
    url: string,
    tus: { content: string; url: string; acknowledged: number },
    round: number,
  ): Promise<void> {
    const headers = { 'tus-resumable': '1.0.0' }
    if (tus.url === '') {
      const length = { 'upload-length': String(tus.content.length) }
      const init = { method: 'POST', headers: { ...headers, ...length } }
      const made = await fetch(`${url}/uploads`, init)
      tus.url = new URL(made.headers.get('location') ?? '').pathname
    }
    const head = await fetch(url + tus.url, { method: 'HEAD', headers })
    const offset = Number(head.headers.get('upload-offset'))
    expect(offset, `round ${round}`).toBeGreaterThanOrEqual(tus.acknowledged)
    const rest = tus.content.slice(offset)
    const answer = await fetch(url + tus.url, {
      method: 'PATCH',
      body: round === Infinity ? rest : rest.slice(0, rest.length / 4),
      headers: {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
    })
    expect(answer.status).toBe(204)
    tus.acknowledged = Number(answer.headers.get('upload-offset'))
    if (round !== Infinity) return
    expect(await (await fetch(url + tus.url)).text()).toBe(tus.content)
  }

  it.runIf(process.platform === 'linux')(
    'takes and serves 500 MB in less than 200 MB of memory',
    async () => {
      const cwd = createFolder({
        'mock.config.json': config,
        'fixtures/users.json': [{ id: 1 }],
      })
      const { url, child } = await start(cwd)
      const chunk = Buffer.alloc(1024 * 1024, 'x')
      const count = 500
      /** Sends the chunks with `node:http`, between a head and a tail. */
      const upload = async (line: string, type: string, head = '', tail = ''): Promise<number> => {
        const [method, path] = line.split(' ')
        const headers = {
          'content-type': type,
          'content-length': head.length + tail.length + count * chunk.length,
          'tus-resumable': '1.0.0',
          'upload-offset': 0,
          'upload-length': count * chunk.length,
        }
        const sent = request(`${url}${path}`, { method, headers })
        sent.write(head)
        for (let at = 0; at < count; at++) {
          if (!sent.write(chunk)) await once(sent, 'drain')
        }
        sent.end(tail)
        const [answer] = await once(sent, 'response')
        answer.resume()
        return answer.statusCode
      }
      expect(await upload('PUT /users/1/avatar', 'application/zip')).toBe(201)
      const part = '--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.zip"\r\n\r\n'
      const form = 'multipart/form-data; boundary=b'
      expect(await upload('POST /users', form, part, '\r\n--b--\r\n')).toBe(201)
      expect(await upload('POST /uploads', 'application/offset+octet-stream')).toBe(201)
      let size = 0
      const { body } = await fetch(`${url}/users/2/avatar`)
      if (body) for await (const piece of body) size += piece.length
      expect(size).toBe(count * chunk.length)
      const [, peak] =
        /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      expect(Number(peak) / 1024).toBeLessThan(200)
    },
    60_000,
  )
})
