import { describe, expect, it, onTestFinished } from 'vitest'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { scenarios, sessions } from '../../../../src/behaviours.ts'
import { createMock } from '../../../../src/index.ts'
import { loadMock, serve } from '../../../../src/node.ts'

const posts = [1, 2, 3].map((id) => ({ id, title: `Post ${id}` }))
const fixtures = { posts, profile: { theme: 'dark' }, words: ['a'] }

async function connect(mock: Parameters<typeof serve>[0]) {
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  return async (line: string, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(new URL(`/__mock/${path}`, url), { method, headers })
    return { status: response.status, value: (await response.json()) as Record<string, unknown> }
  }
}

function change(mock: { db: object }): void {
  const { posts, profile } = mock.db as ReturnType<typeof createMock<typeof fixtures>>['db']
  posts.update(3, { title: 'Three' })
  posts.remove(1)
  posts.insert({ title: 'New' })
  profile.update({ theme: 'light' })
}

const changed = [
  { collection: 'posts', id: '1', type: 'deleted', previous: posts[0] },
  {
    collection: 'posts',
    id: '3',
    type: 'updated',
    record: { id: 3, title: 'Three' },
    previous: posts[2],
  },
  { collection: 'posts', id: '4', type: 'created', record: { id: 4, title: 'New' } },
  {
    collection: 'profile',
    type: 'updated',
    record: { theme: 'light' },
    previous: { theme: 'dark' },
  },
]

describe('the control of changes', () => {
  it('compares two snapshots, and a snapshot with the fixtures or the present data', async () => {
    const mock = createMock({ fixtures })
    const send = await connect(mock)
    mock.db.posts.update(1, { title: 'Uno' })
    mock.snapshot('one')
    mock.db.posts.update(1, { title: 'Post 1' })
    mock.db.posts.update(2, { title: 'Dos' })
    mock.snapshot('two')
    mock.db.posts.remove(3)
    const differences = async (search: string) =>
      ((await send(`GET changes${search}`)).value['changes'] as Record<string, unknown>[]).map(
        ({ id, type }) => `${String(id)} ${String(type)}`,
      )
    expect(await differences('?from=one')).toEqual(['1 updated', '2 updated', '3 deleted'])
    expect(await differences('?from=one&to=two')).toEqual(['1 updated', '2 updated'])
    expect(await differences('?to=one')).toEqual(['1 updated'])
    expect(await differences('')).toEqual(['2 updated', '3 deleted'])
    mock.restore('one')
    mock.db.posts.update(3, { title: 'Tres' })
    expect(await differences('?from=two')).toEqual(['1 updated', '2 updated', '3 updated'])
    const unknown = await send('GET changes?from=tow')
    expect(unknown.status).toBe(404)
    expect(unknown.value['detail']).toBe('Failed to find the snapshot "tow". Did you mean "two"?')
  })

  it('lists what differs from the fixtures', async () => {
    const mock = createMock({ fixtures })
    const send = await connect(mock)
    expect((await send('GET changes')).value).toEqual({ total: 0, canSave: false, changes: [] })
    change(mock)
    expect((await send('GET changes')).value).toEqual({
      total: 4,
      canSave: false,
      changes: changed,
    })
    mock.db.posts.update(3, { title: 'Post 3' })
    expect((await send('GET changes')).value).toMatchObject({ total: 3 })
  })

  it.each([
    ['posts/1', [posts[0], posts[1], { id: 3, title: 'Three' }, { id: 4, title: 'New' }]],
    ['posts?id=3', [posts[1], posts[2], { id: 4, title: 'New' }]],
    ['posts/4', [posts[1], { id: 3, title: 'Three' }]],
    ['posts', posts],
  ])('discards %s, and restores removed records to their places', async (path, expected) => {
    const mock = createMock({ fixtures })
    const send = await connect(mock)
    change(mock)
    expect((await send(`DELETE changes/${path}`)).status).toBe(200)
    expect(mock.db.posts.all()).toEqual(expected)
    expect(mock.db.profile.get()).toEqual({ theme: 'light' })
    await send('DELETE changes')
    expect(mock.db.posts.all()).toEqual(posts)
    expect(mock.db.profile.get()).toEqual({ theme: 'dark' })
    expect((await send('DELETE changes')).status).toBe(200)
  })

  it('answers what it cannot do', async () => {
    const mock = createMock({ fixtures })
    const send = await connect(mock)
    expect(await send('DELETE changes/posts/1')).toMatchObject({
      status: 404,
      value: { code: 'CHANGE_UNKNOWN' },
    })
    expect(await send('POST changes')).toMatchObject({
      status: 409,
      value: { code: 'FIXTURES_WITHOUT_FILES' },
    })
  })
})

/** A folder with files, from which a mock is loaded. */
async function load(files: Record<string, string>, config: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-changes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const mock = await loadMock<typeof fixtures>({ fixtures: [folder], ...config })
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  return { folder, mock, read, send: await connect(mock) }
}

const text =
  '[\n  { "id": 1, "title": "Post 1" },\n  { "id": 2, "title": "Post 2" },\n  { "id": 3, "title": "Post 3" }\n]\n'

describe('changes that are saved to the files', () => {
  it('saves a record alone, and keeps the layout of the file', async () => {
    const { mock, read, send, folder } = await load({
      'posts.json': text,
      'profile.json': '{"theme":"dark"}',
    })
    change(mock)
    expect((await send('GET changes')).value).toMatchObject({ canSave: true })
    const saved = await send('POST changes/posts/3')
    expect(saved).toMatchObject({ status: 200, value: { total: 3 } })
    expect(read('posts.json')).toBe(text.replace('Post 3', 'Three'))
    await send('POST changes/posts/4')
    expect(JSON.parse(read('posts.json'))).toEqual([
      posts[0],
      posts[1],
      { id: 3, title: 'Three' },
      { id: 4, title: 'New' },
    ])
    expect(await send('POST changes')).toMatchObject({ value: { total: 0, changes: [] } })
    expect(JSON.parse(read('posts.json'))).toEqual(mock.db.posts.all())
    expect(read('profile.json')).toBe('{"theme":"light"}')
    mock.reset()
    expect(mock.db.posts.get(3)).toEqual({ id: 3, title: 'Three' })
    expect(readdirSync(folder)).toEqual(['posts.json', 'profile.json'])
  })

  it('says that a file cannot be written, and what to do', async () => {
    const { folder, mock, read, send } = await load({ 'posts.json': text })
    chmodSync(join(folder, 'posts.json'), 0o444)
    mock.db.posts.update(3, { title: 'Three' })
    const detail = `Failed to write "${join(folder, 'posts.json')}": it is read-only. Please allow writing it, for example with \`chmod u+w\`.`
    expect(await send('POST changes/posts/3')).toMatchObject({
      status: 409,
      value: { code: 'FIXTURES_UNWRITABLE', detail },
    })
    expect(read('posts.json')).toBe(text)
  })

  it('merges an edit by hand that came in between, and adds no ids to other records', async () => {
    const { mock, read, send, folder } = await load({
      'posts.json': '[{"title":"One"},{"title":"Two"}]',
    })
    const [first] = mock.db.posts.all()
    mock.db.posts.update(first?.id ?? '', { title: 'Mine' })
    writeFileSync(join(folder, 'posts.json'), '[{"title":"One"},{"title":"Two by hand"}]')
    expect((await send('POST changes')).status).toBe(200)
    expect(JSON.parse(read('posts.json'))).toEqual([
      { id: first?.id, title: 'Mine' },
      { title: 'Two by hand' },
    ])
    expect(mock.db.posts.all().map(({ title }) => title)).toEqual(['Mine', 'Two by hand'])
  })

  it('saves the changes of a session', async () => {
    const { mock, read, send } = await load({ 'posts.json': text }, { use: [sessions()] })
    const headers = { 'X-Mock-Session': 'a' }
    await send('DELETE db/posts/2', headers)
    expect((await send('GET changes')).value).toMatchObject({ total: 0 })
    expect(await send('POST changes/posts/2', headers)).toMatchObject({ value: { total: 0 } })
    expect(JSON.parse(read('posts.json'))).toEqual([posts[0], posts[2]])
    expect(mock.db.posts.all()).toEqual([posts[0], posts[2]])
  })

  it.each([
    ['posts.js', 'export default [{ id: 1, title: "Post 1" }]', {}, 'cannot be written back'],
    [
      'posts.json',
      text,
      {
        use: [scenarios({ sets: { a: { fixtures: { posts: posts.slice(0, 1) } } }, active: 'a' })],
      },
      'a scenario replaces its data',
    ],
  ])('says why it cannot save to %s', async (name, content, config, message) => {
    const { mock, send, read } = await load({ [name]: content }, config)
    mock.db.posts.update(1, { title: 'Changed' })
    const answer = await send('POST changes/posts/1')
    expect(answer).toMatchObject({
      status: 409,
      value: { message: expect.stringContaining(message) as string },
    })
    expect(read(name)).toBe(content)
  })

  it('waits for a broken file to be corrected', async () => {
    const { mock, send, read, folder } = await load({ 'posts.json': text })
    mock.db.posts.update(1, { title: 'Changed' })
    writeFileSync(join(folder, 'posts.json'), '[{')
    expect((await send('POST changes')).status).toBe(409)
    expect(read('posts.json')).toBe('[{')
  })
})
