import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { findUnsaved } from '../../../../src/loader/persist/recover.ts'
import { canLink, createFolder } from '../folder.ts'
import { listAll, openWorld, settle } from '../world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'

describe('a persister', () => {
  it('writes the changes of requests to the file of a collection', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.insert('posts', { t: 'c' })
    world.store.replace('posts', '1', { id: 1, t: 'x' })
    world.store.remove('posts', '2')
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe(
      '[\n  { "id": 1, "t": "x" },\n  { "id": 3, "t": "c" }\n]\n',
    )
  })

  it('writes a singleton and keeps its $schema', async () => {
    const text = '// Me.\r\n{\r\n\t$schema: "x", // always\r\n\tname: "a",\r\n}\r\n'
    const world = await openWorld(createFolder({ 'f/me.json5': text }))
    world.store.replaceSingleton('me', { name: 'b', age: 3 })
    await world.persister.flush()
    expect(world.text('f/me.json5')).toBe(text.replace('"a",', '"b",\r\n\tage: 3,'))
  })

  it('changes only the text of changed values in a database file', async () => {
    const text =
      '\uFEFF{\n    "$schema": "x",\n    "posts": [{"id": 1.0}],\n    "_note": [1,2],\n    "profile": {"a": 1}\n}'
    const world = await openWorld(createFolder({ 'db.json': text }), ['db.json'])
    world.store.insert('posts', {})
    world.store.replaceSingleton('profile', { a: 2 })
    await world.persister.flush()
    expect(world.text('db.json')).toBe(
      text.replace('1.0}', '1.0}, {"id": 2}').replace('"a": 1', '"a": 2'),
    )
  })

  it('changes only the text of changed values in a database file in a folder', async () => {
    const text = '{\n  "_note": [1],\n  "posts": [{"id": 1.0}],\n  "me": {"a": 1}\n}\n'
    const world = await openWorld(createFolder({ 'f/v1/db.json': text }))
    world.store.insert('v1/posts', {})
    world.store.replaceSingleton('v1/me', { a: 2 })
    await world.persister.flush()
    const written = text.replace('1.0}', '1.0}, {"id": 2}').replace('"a": 1', '"a": 2')
    expect(world.text('f/v1/db.json')).toBe(written)
    world.store.remove('v1/posts', '1')
    world.store.remove('v1/posts', '2')
    const next = await openWorld(await world.kill())
    expect(next.json('f/v1/db.json')).toEqual({ _note: [1], posts: [], me: { a: 2 } })
    // The database stays a database without records.
    next.store.insert('v1/posts', { t: 'c' })
    await next.persister.flush()
    expect(next.json('f/v1/db.json')).toMatchObject({ posts: [{ t: 'c' }], me: { a: 2 } })
  })

  it('writes the ids that were assigned at load', async () => {
    const world = await openWorld(
      createFolder({ 'f/posts.json': '[{"t":"a"},{"t":"b"},{"t":"c"}]' }),
    )
    world.store.remove('posts', '1')
    world.store.replace('posts', '3', { id: 3, t: 'x' })
    await world.persister.flush()
    expect(world.json('f/posts.json')).toEqual([
      { id: 2, t: 'b' },
      { id: 3, t: 'x' },
    ])
  })

  it('leaves a file unchanged if the changes were undone', async () => {
    const cwd = createFolder({ 'f/posts.json': two })
    const world = await openWorld(cwd)
    const before = statSync(join(cwd, 'f/posts.json'))
    world.store.replace('posts', '1', { id: 1, t: 'x' })
    world.store.replace('posts', '1', { id: 1, t: 'a' })
    await world.persister.flush()
    expect(statSync(join(cwd, 'f/posts.json'))).toEqual(before)
  })

  it('does not write the file of a resource that was only read', async () => {
    const cwd = createFolder({ 'f/posts.json': two, 'f/users.json': '[]' })
    const world = await openWorld(cwd)
    const before = statSync(join(cwd, 'f/users.json'))
    world.store.remove('posts', '1')
    await world.persister.close()
    expect(statSync(join(cwd, 'f/users.json'))).toEqual(before)
  })

  it.runIf(canLink)('keeps permissions, and writes the target of a link', async () => {
    const cwd = createFolder({ 'away/posts.json': two, 'f/users.json': '[]' })
    chmodSync(join(cwd, 'away/posts.json'), 0o640)
    const { mode } = statSync(join(cwd, 'away/posts.json'))
    symlinkSync(join(cwd, 'away/posts.json'), join(cwd, 'f/posts.json'))
    const world = await openWorld(cwd)
    world.store.remove('posts', '2')
    await world.persister.close()
    expect(lstatSync(join(cwd, 'f/posts.json')).isSymbolicLink()).toBe(true)
    expect(world.json('away/posts.json')).toEqual([{ id: 1, t: 'a' }])
    expect(statSync(join(cwd, 'away/posts.json')).mode).toBe(mode)
    expect(listAll(cwd)).toEqual(['away', 'away/posts.json', 'f', 'f/posts.json', 'f/users.json'])
  })

  it('leaves a read-only file alone until it can be written', async () => {
    const cwd = createFolder({ 'f/posts.json': two, 'f/users.json': '[]' })
    chmodSync(join(cwd, 'f/posts.json'), 0o444)
    const world = await openWorld(cwd)
    world.store.remove('posts', '2')
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe(two)
    expect(world.reported).toMatchObject([
      {
        message: 'Failed to write "f/posts.json": it is read-only.',
        advice: expect.stringContaining('`chmod u+w`') as string,
      },
    ])
    chmodSync(join(cwd, 'f/posts.json'), 0o644)
    await world.persister.close()
    expect(world.json('f/posts.json')).toEqual([{ id: 1, t: 'a' }])
  })

  it.runIf(canLink)('writes to the current target of a link', async () => {
    const other = two.replace('"b"', '"other"')
    const cwd = createFolder({ 'a/posts.json': two, 'b/posts.json': other, 'f/users.json': '[]' })
    symlinkSync(join(cwd, 'a/posts.json'), join(cwd, 'f/posts.json'))
    const world = await openWorld(cwd)
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    await world.persister.flush()
    const written = world.text('a/posts.json')
    world.store.insert('posts', { t: 'c' })
    rmSync(join(cwd, 'f/posts.json'))
    symlinkSync(join(cwd, 'b/posts.json'), join(cwd, 'f/posts.json'))
    await world.persister.flush()
    world.store.insert('posts', { t: 'd' })
    await world.persister.settled()
    expect(listAll(cwd)).toContain('b/.fixtura/posts.json.journal')
    await world.persister.close()
    const made = [
      { id: 3, t: 'c' },
      { id: 4, t: 'd' },
    ]
    expect(world.json('b/posts.json')).toEqual([...(JSON.parse(other) as object[]), ...made])
    expect(world.text('a/posts.json')).toBe(written)
    expect(listAll(cwd)).not.toContain('a/.fixtura')
  })

  it('replaces the file atomically, so that no reader sees half of it', async () => {
    const cwd = createFolder({ 'f/posts.json': two })
    linkSync(join(cwd, 'f/posts.json'), join(cwd, 'old'))
    const world = await openWorld(cwd)
    world.store.remove('posts', '1')
    await world.persister.flush()
    expect(readFileSync(join(cwd, 'old'), 'utf8')).toBe(two)
  })

  it('leaves nothing behind when it is closed', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/v1/users.json': '[]' }))
    world.store.remove('posts', '1')
    world.store.insert('v1/users', {})
    await world.persister.close()
    expect(listAll(world.cwd)).toEqual(['f', 'f/posts.json', 'f/v1', 'f/v1/users.json'])
    expect(world.json('f/v1/users.json')).toEqual([{ id: 1 }])
  })

  it('merges edits of the file before it writes', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.insert('posts', { t: 'request' })
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    writeFileSync(join(world.cwd, 'f/posts.json'), two.replace('"b"', '"hand"'))
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe(
      '[\n  { "id": 1, "t": "request" },\n  { "id": 2, "t": "hand" },\n  { "id": 3, "t": "request" }\n]\n',
    )
    expect(world.store.collection('posts').get('2')).toEqual({ id: 2, t: 'hand' })
  })

  it('starts again if the file is saved during a write', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    const { exclusive } = world.scanner
    world.scanner.exclusive = (run) => {
      world.scanner.exclusive = exclusive
      writeFileSync(join(world.cwd, 'f/posts.json'), two.replace('"b"', '"hand"'))
      return exclusive(run)
    }
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    await world.persister.flush()
    expect(world.json('f/posts.json')).toEqual([
      { id: 1, t: 'request' },
      { id: 2, t: 'hand' },
    ])
    await world.persister.close()
    expect(listAll(world.cwd)).toEqual(['f', 'f/posts.json'])
  })

  it('keeps the edited record if a request has changed the record too', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    const edited = two.replace('"a"', '"hand"')
    writeFileSync(join(world.cwd, 'f/posts.json'), edited)
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe(edited)
  })

  it('does not write a file until the file parses', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    writeFileSync(join(world.cwd, 'f/posts.json'), '[ half')
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe('[ half')
    await expect.poll(() => world.reported.length).toBe(1)
    writeFileSync(join(world.cwd, 'f/posts.json'), two.replace('"b"', '"hand"'))
    await expect
      .poll(() => world.json('f/posts.json'))
      .toEqual([
        { id: 1, t: 'request' },
        { id: 2, t: 'hand' },
      ])
    expect(world.reported).toHaveLength(1)
    expect(world.resolved).toEqual(['f/posts.json'])
  })

  it('keeps created records if an invalid file is replaced by a valid one', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/users.json': '[]' }))
    world.store.insert('posts', { t: 'c' })
    writeFileSync(join(world.cwd, 'f/posts.json'), two.replace('2', '1'))
    await world.persister.flush()
    rmSync(join(world.cwd, 'f/posts.json'))
    // The watch sees it gone just before the persister looks.
    await world.scanner.scan()
    await world.persister.flush()
    writeFileSync(join(world.cwd, 'f/posts.json'), two)
    await world.persister.close()
    expect(world.json('f/posts.json')).toEqual([
      ...(JSON.parse(two) as object[]),
      { id: 3, t: 'c' },
    ])
  })

  it('does not create a deleted file again, and keeps the journal for it', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/users.json': '[]' }))
    world.store.remove('posts', '1')
    rmSync(join(world.cwd, 'f/posts.json'))
    await settle(world.scanner)
    await world.persister.close()
    expect(world.reported.map(({ message, advice }) => [message, advice])).toEqual([
      [
        'Failed to write 1 change of requests to "f/posts.json": posts/1.',
        'They are in "f/.fixtura/posts.json.journal": the next start with --persist writes them.',
      ],
    ])
    expect(listAll(join(world.cwd, 'f'))).toEqual([
      '.fixtura',
      '.fixtura/posts.json.journal',
      'users.json',
    ])
  })

  it.each([
    ['f/v1/posts.json', 'away.json'],
    ['f/v1', 'away'],
  ])('keeps the writes to a file while %s is away', async (path, away) => {
    const world = await openWorld(createFolder({ 'f/v1/posts.json': two, 'f/users.json': '[]' }))
    const move = (from: string, to: string): void => {
      renameSync(join(world.cwd, from), join(world.cwd, to))
    }
    world.store.insert('v1/posts', { t: 'c' })
    world.store.remove('v1/posts', '1')
    await world.persister.settled()
    move(path, away)
    // The journal misses this write if the folder is away.
    world.store.insert('v1/posts', { t: 'd' })
    await world.persister.settled()
    await settle(world.scanner)
    await world.persister.flush()
    expect(world.store.resources.has('v1/posts')).toBe(false)
    world.store.reset()
    move(away, path)
    await settle(world.scanner)
    await world.persister.flush()
    const written = [
      { id: 2, t: 'b' },
      { id: 3, t: 'c' },
      { id: 4, t: 'd' },
    ]
    expect(world.json('f/v1/posts.json')).toEqual(written)
    await world.persister.close()
    expect(listAll(world.cwd)).toEqual(['f', 'f/users.json', 'f/v1', 'f/v1/posts.json'])
  })

  it('journals the writes of a file that is away, for a process that is killed', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/users.json': '[]' }))
    world.store.insert('posts', { t: 'c' })
    await world.persister.settled()
    renameSync(join(world.cwd, 'f/posts.json'), join(world.cwd, 'away'))
    await settle(world.scanner)
    await world.persister.flush()
    const killed = await world.kill()
    renameSync(join(killed, 'away'), join(killed, 'f/posts.json'))
    const next = await openWorld(killed)
    expect(next.json('f/posts.json')).toEqual([...(JSON.parse(two) as object[]), { id: 3, t: 'c' }])
  })

  it.each(['f/v1/posts.json', 'f/v1'])(
    'does not create a folder again after %s was removed',
    async (gone) => {
      const world = await openWorld(createFolder({ 'f/v1/posts.json': two, 'f/users.json': '[]' }))
      rmSync(join(world.cwd, gone), { recursive: true })
      world.store.insert('v1/posts', {})
      await world.persister.settled()
      await world.persister.flush()
      await settle(world.scanner)
      await world.persister.close()
      expect(world.store.resources.has('v1/posts')).toBe(false)
      expect(listAll(world.cwd)).toEqual(
        gone === 'f/v1'
          ? ['f', 'f/users.json']
          : ['f', 'f/users.json', 'f/v1', 'f/v1/.fixtura', 'f/v1/.fixtura/posts.json.journal'],
      )
      expect(world.reported.map(({ message }) => message)).toEqual([
        'Failed to write 1 change of requests to "f/v1/posts.json": v1/posts/3.',
      ])
    },
  )

  it('writes the data of a restored snapshot', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/me.json': '{"a":1}' }))
    const snapshot = world.store.fork()
    world.store.remove('posts', '1')
    world.store.replaceSingleton('me', { a: 2 })
    await world.persister.flush()
    world.store.insert('posts', { t: 'c' })
    world.store.restore(snapshot)
    const killed = await world.kill()
    await world.persister.flush()
    const after = [JSON.parse(two) as unknown, { a: 1 }]
    expect([world.json('f/posts.json'), world.json('f/me.json')]).toEqual(after)
    const next = await openWorld(killed)
    expect(byId(next.json('f/posts.json'))).toEqual(after[0])
    expect(next.json('f/me.json')).toEqual(after[1])
  })

  it('journals the data of a restored snapshot before the file is written', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    const snapshot = world.store.fork()
    world.store.replace('posts', '1', { id: 1, t: 'x' })
    world.store.restore(snapshot)
    const next = await openWorld(await world.kill())
    expect(next.json('f/posts.json')).toEqual(JSON.parse(two))
  })

  it('warns once that the data of a module cannot be written', async () => {
    const world = await openWorld(
      createFolder({ 'f/posts.mjs': 'export default []', 'f/a.json': '[]' }),
    )
    world.store.insert('posts', {})
    world.store.insert('posts', {})
    await world.persister.close()
    expect(world.reported).toMatchObject([{ file: 'f/posts.mjs', severity: 'warning' }])
    expect(world.text('f/posts.mjs')).toBe('export default []')
    expect(listAll(world.cwd)).toEqual(['f', 'f/a.json', 'f/posts.mjs'])
  })

  it('reports a failed write once, and retries until the write succeeds', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    // A file in the place of the folder is in the way of root too, whom permissions do not stop.
    writeFileSync(join(world.cwd, 'f/.fixtura'), '')
    world.store.remove('posts', '1')
    await world.persister.settled()
    world.store.insert('posts', {})
    await world.persister.flush()
    await world.persister.flush()
    expect(world.text('f/posts.json')).toBe(two)
    expect(world.reported).toMatchObject([{ file: 'f/posts.json', severity: 'error' }])
    rmSync(join(world.cwd, 'f/.fixtura'))
    // That it is over is told after the file has its place.
    await expect.poll(() => world.resolved).toEqual(['f/posts.json'])
    expect(world.json('f/posts.json')).toEqual([{ id: 2, t: 'b' }, { id: 3 }])
    expect(world.reported).toHaveLength(1)
  })
})

// Windows does not tell a file in the place of a folder from nothing there.
it.skipIf(process.platform === 'win32')(
  'copies the writes that it could put into no journal when it is closed',
  async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/me.json': '{}' }))
    writeFileSync(join(world.cwd, 'f/.fixtura'), '')
    world.store.remove('posts', '1')
    world.store.insert('posts', {})
    await world.persister.flush()
    world.store.insert('posts', {})
    const unwritten = await world.persister.close()
    expect(world.reported.map(({ message }) => message)).toEqual([
      'Failed to write "f/posts.json": a file has the path of the folder .fixtura.',
      'Failed to write 3 changes of requests to "f/posts.json": posts/1, posts/3, posts/4.',
    ])
    expect(unwritten).toEqual(world.reported.slice(1))
    const advice =
      /^They are in "(.+)"\. Please correct the cause, move this file to "(.+)" and start again with --persist\.$/
    const [, copy = '', journal = ''] = advice.exec(unwritten[0]?.advice ?? '') ?? []
    onTestFinished(() => rmSync(copy, { force: true }))
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    rmSync(join(world.cwd, 'f/.fixtura'))
    mkdirSync(join(world.cwd, 'f/.fixtura'))
    cpSync(copy, join(world.cwd, journal))
    const next = await openWorld(world.cwd)
    expect(next.json('f/posts.json')).toEqual([{ id: 2, t: 'b' }, { id: 3 }, { id: 4 }])
  },
)

it('reports the changes that only the journal has when it is closed', async () => {
  const files = { 'f/posts.json': two, 'f/me.json': '{"a":1}', 'f/users.json': '[]' }
  const world = await openWorld(createFolder(files))
  writeFileSync(join(world.cwd, 'f/posts.json'), '[ half')
  writeFileSync(join(world.cwd, 'f/me.json'), '{ half')
  for (let id = 3; id < 15; id++) world.store.insert('posts', { t: 'c' })
  world.store.replaceSingleton('me', { a: 2 })
  world.store.insert('users', {})
  const unwritten = await world.persister.close()
  expect(unwritten).toEqual([
    {
      severity: 'error',
      file: 'f/posts.json',
      message:
        'Failed to write 12 changes of requests to "f/posts.json": posts/3, posts/4, posts/5, posts/6, posts/7, posts/8, posts/9, posts/10, posts/11, posts/12 and 2 more.',
      advice:
        'They are in "f/.fixtura/posts.json.journal": the next start with --persist writes them.',
    },
    {
      severity: 'error',
      file: 'f/me.json',
      message: 'Failed to write 1 change of requests to "f/me.json": me.',
      advice:
        'They are in "f/.fixtura/me.json.journal": the next start with --persist writes them.',
    },
  ])
  expect(world.json('f/users.json')).toEqual([{ id: 1 }])
  writeFileSync(join(world.cwd, 'f/posts.json'), two)
  writeFileSync(join(world.cwd, 'f/me.json'), '{"a":1}')
  const next = await openWorld(world.cwd)
  expect(next.json('f/posts.json')).toHaveLength(14)
  expect(next.json('f/me.json')).toEqual({ a: 2 })
})

describe('a folder of many files', () => {
  const names = Array.from({ length: 150 }, (_, at) => `r${at}`)
  const files = Object.fromEntries(names.map((name) => [`f/${name}.json`, two]))

  it('is written as a whole', async () => {
    const world = await openWorld(createFolder(files))
    await settle(world.scanner)
    for (const name of names) world.store.remove(name, '1')
    await world.persister.settled()
    await world.persister.close()
    for (const name of names) expect(world.json(`f/${name}.json`)).toEqual([{ id: 2, t: 'b' }])
    expect(listAll(world.cwd)).not.toContain('f/.fixtura')
  })

  it('merges edits of all files during the write', async () => {
    const world = await openWorld(createFolder(files))
    const { exclusive } = world.scanner
    for (const name of names) world.store.remove(name, '1')
    world.scanner.exclusive = (run) => {
      // The files are edited just before the first of them is replaced.
      world.scanner.exclusive = exclusive
      const edited = two.replace('"b"', '"hand"')
      for (const name of names) writeFileSync(join(world.cwd, `f/${name}.json`), edited)
      return exclusive(run)
    }
    await world.persister.close()
    for (const name of names) expect(world.json(`f/${name}.json`)).toEqual([{ id: 2, t: 'hand' }])
  })
})

describe('a journal', () => {
  it('restores every write of a killed process', async () => {
    const world = await openWorld(
      createFolder({ 'f/posts.json': two, 'f/me.json': '{"a":1}', 'db.json': '{"x":[],"y":{}}' }),
      ['f', 'db.json'],
    )
    world.store.insert('posts', { t: 'c' })
    world.store.replace('posts', '3', { id: 3, t: 'd' })
    world.store.remove('posts', '1')
    world.store.insert('posts', { id: 1, t: 'new' })
    world.store.replaceSingleton('me', { a: 2 })
    world.store.insert('x', { id: 'k' })
    world.store.replaceSingleton('y', { z: 1 })
    const killed = await world.kill()
    expect(readFileSync(join(killed, 'f/posts.json'), 'utf8')).toBe(two)
    const next = await openWorld(killed, ['f', 'db.json'])
    expect(next.recovered).toEqual([])
    expect(next.json('f/posts.json')).toEqual([
      { id: 2, t: 'b' },
      { id: 3, t: 'd' },
      { id: 1, t: 'new' },
    ])
    expect(next.json('f/me.json')).toEqual({ a: 2 })
    expect(next.json('db.json')).toEqual({ x: [{ id: 'k' }], y: { z: 1 } })
    expect(listAll(killed)).toEqual(['db.json', 'f', 'f/me.json', 'f/posts.json'])
  })

  it('is merged with edits between two runs', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.replace('posts', '1', { id: 1, t: 'request' })
    world.store.replace('posts', '2', { id: 2, t: 'request' })
    world.store.insert('posts', { t: 'c' })
    const killed = await world.kill()
    writeFileSync(
      join(killed, 'f/posts.json'),
      '[\n  { "id": 2, "t": "hand" },\n  { "id": 1, "t": "a" },\n  { "id": 9, "t": "hand" }\n]\n',
    )
    const next = await openWorld(killed)
    expect(next.text('f/posts.json')).toBe(
      '[\n  { "id": 2, "t": "hand" },\n  { "id": 1, "t": "request" },\n  { "id": 9, "t": "hand" },\n  { "id": 3, "t": "c" }\n]\n',
    )
    expect(next.recovered.map(({ message }) => message)).toEqual([
      'Failed to keep the change of a request to "posts/2": "f/posts.json" was edited in the meantime.',
    ])
  })

  it('identifies records without an id in the file', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': [{ t: 'a' }, { t: 'b' }] }))
    world.store.replace('posts', '2', { id: 2, t: 'request' })
    world.store.remove('posts', '1')
    world.store.insert('posts', { t: 'c' })
    const next = await openWorld(await world.kill())
    expect(next.recovered).toEqual([])
    expect(next.json('f/posts.json')).toEqual([
      { id: 2, t: 'request' },
      { id: 3, t: 'c' },
    ])
  })

  it('keeps the ids of created records from records without an id', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': [{ t: 'a' }] }))
    world.store.insert('posts', { t: 'request' })
    const killed = await world.kill()
    writeFileSync(join(killed, 'f/posts.json'), '[{ "t": "a" }, { "t": "hand" }]')
    const next = await openWorld(killed)
    expect(next.recovered).toEqual([])
    expect(next.json('f/posts.json')).toEqual([
      { id: 1, t: 'a' },
      { id: 3, t: 'hand' },
      { id: 2, t: 'request' },
    ])
  })

  it('distinguishes a created record from a later record of the file with its id', async () => {
    const lines = [
      { type: 'created', id: '2', record: { id: 2, t: 'request' } },
      { type: 'deleted', id: '2', previous: { id: 2, t: 'request' } },
      { type: 'updated', id: '2', previous: { id: 2, t: 'hand' }, record: { id: 2, t: 'again' } },
    ]
    const journal = lines.map((line) => JSON.stringify({ collection: 'posts', ...line })).join('\n')
    const world = await openWorld(
      createFolder({
        'f/posts.json': [{ t: 'a' }, { t: 'hand' }],
        'f/.fixtura/posts.json.journal': `${journal}\n`,
      }),
    )
    expect(world.recovered).toEqual([])
    expect(world.json('f/posts.json')).toEqual([{ id: 1, t: 'a' }, lines[2]?.record])
  })

  it('stays while the file does not parse', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.remove('posts', '1')
    const killed = await world.kill()
    writeFileSync(join(killed, 'f/posts.json'), '[')
    const broken = await openWorld(killed)
    await broken.persister.close()
    expect(listAll(killed)).toContain('f/.fixtura/posts.json.journal')
    writeFileSync(join(killed, 'f/posts.json'), two)
    const next = await openWorld(killed)
    expect(next.json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
  })

  it('loses no complete entry wherever it is cut off, and applies none twice', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    const states: unknown[] = [JSON.parse(two)]
    const ends = [0]
    const journal = join(world.cwd, 'f/.fixtura/posts.json.journal')
    for (let step = 0; step < 6; step++) {
      if (step % 3 === 2) world.store.remove('posts', String(step))
      else world.store.insert('posts', { t: `${step} é` })
      await world.persister.settled()
      states.push(world.store.collection('posts').records())
      ends.push(statSync(journal).size)
    }
    const killed = await world.kill()
    const length = ends.at(-1) ?? 0
    for (let cut = 0; cut <= length; cut += 7) {
      const copy = createFolder({ 'f/posts.json': two })
      mkdirSync(join(copy, 'f/.fixtura'))
      const path = join(copy, 'f/.fixtura/posts.json.journal')
      writeFileSync(path, readFileSync(join(killed, 'f/.fixtura/posts.json.journal')))
      truncateSync(path, cut)
      const next = await openWorld(copy)
      const whole = ends.findLastIndex((end) => end - 1 <= cut)
      expect(next.json('f/posts.json')).toEqual(states[whole])
    }
  })

  it('is applied to a file that has some of its writes already', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    const files = [two]
    for (let step = 0; step < 5; step++) {
      world.store.replace('posts', '1', { id: 1, t: `step ${step}` })
      if (step === 1) world.store.remove('posts', '2')
      world.store.insert('posts', { t: `step ${step}` })
      files.push(JSON.stringify(world.store.collection('posts').records()))
    }
    const killed = await world.kill()
    for (const file of files) {
      writeFileSync(join(killed, 'f/posts.json'), file)
      mkdirSync(join(killed, 'f/.fixtura'), { recursive: true })
      writeFileSync(
        join(killed, 'f/.fixtura/posts.json.journal'),
        readFileSync(join(world.cwd, 'f/.fixtura/posts.json.journal')),
      )
      const next = await openWorld(killed)
      expect(next.recovered).toEqual([])
      expect(next.json('f/posts.json')).toEqual(world.store.collection('posts').records())
    }
  })

  it('drops the entries that are in the file, and keeps later entries', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    for (let round = 0; round < 20; round++) {
      world.store.insert('posts', { t: `a ${round}` })
      const flushed = world.persister.flush()
      world.store.insert('posts', { t: `b ${round}` })
      world.store.replace('posts', '1', { id: 1, t: `c ${round}` })
      const killed = await world.kill()
      await flushed
      const later = await world.kill()
      for (const copy of [killed, later]) {
        const next = await openWorld(copy)
        expect(next.recovered).toEqual([])
        expect(next.json('f/posts.json')).toEqual(world.store.collection('posts').records())
      }
    }
    await world.persister.flush()
    expect(listAll(world.cwd).filter((name) => name.includes('.fixtura/'))).toEqual([])
  })

  describe('of a process that was killed between the rename of the file and the end of its journal', () => {
    const first = { id: 1, t: 'request' }
    const second = { id: 2, t: 'later' }

    /** The folder just after the rename: the file has the first write, and the journal both. */
    async function killAtRename(): Promise<string> {
      const world = await openWorld(createFolder({ 'f/posts.json': two }))
      const { accept } = world.scanner
      let killed: Promise<string> | undefined
      world.scanner.accept = (file) => {
        killed ??= world.kill()
        accept(file)
      }
      world.store.replace('posts', '1', first)
      await world.persister.settled()
      const { exclusive } = world.scanner
      world.scanner.exclusive = async (run) => {
        world.scanner.exclusive = exclusive
        world.store.replace('posts', '2', second)
        await world.persister.settled()
        return exclusive(run)
      }
      await world.persister.flush()
      return (await killed) ?? ''
    }
    const read = (cwd: string): string => readFileSync(join(cwd, 'f/posts.json'), 'utf8')

    it('has the later writes', async () => {
      const killed = await killAtRename()
      expect(JSON.parse(read(killed))).toEqual([first, { id: 2, t: 'b' }])
      const next = await openWorld(killed)
      expect(next.recovered).toEqual([])
      expect(next.json('f/posts.json')).toEqual([first, second])
      expect(listAll(killed)).toEqual(['f', 'f/posts.json'])
    })

    it('does not undo an edit by hand that restores an earlier state', async () => {
      const killed = await killAtRename()
      writeFileSync(join(killed, 'f/posts.json'), two)
      const next = await openWorld(killed)
      expect(next.json('f/posts.json')).toEqual([{ id: 1, t: 'a' }, second])
    })

    it('has all writes where the rename did not happen, also in a second attempt', async () => {
      const killed = await killAtRename()
      writeFileSync(join(killed, 'f/posts.json'), two)
      writeFileSync(join(killed, 'f/.fixtura/posts.json.tmp'), 'half')
      chmodSync(join(killed, 'f/posts.json'), 0o444)
      expect((await openWorld(killed)).recovered).toMatchObject([{ severity: 'error' }])
      rmSync(join(killed, 'f/.fixtura/posts.json.tmp'), { force: true })
      chmodSync(join(killed, 'f/posts.json'), 0o644)
      const next = await openWorld(killed)
      expect(next.json('f/posts.json')).toEqual([first, second])
    })
  })

  it('is reported without --persist', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/users.json': '[]' }))
    world.store.insert('posts', {})
    world.store.insert('users', {})
    world.store.insert('users', {})
    const killed = await world.kill()
    rmSync(join(killed, 'f/users.json'))
    const found = await findUnsaved(['f'], { cwd: killed })
    expect(found.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'warning',
        'Failed to load all writes: "f/.fixtura/posts.json.journal" holds 1 write that "f/posts.json" does not have.',
      ],
      [
        'warning',
        'Failed to load all writes: "f/.fixtura/users.json.journal" holds 2 writes of a fixture file that was removed.',
      ],
    ])
  })

  it('reports conflicts, and is kept if its file was removed', async () => {
    const world = await openWorld(
      createFolder({ 'db.json': '{"a":[],"b":[]}', 'f/x.json': '[]' }),
      ['db.json', 'f'],
    )
    world.store.insert('a', {})
    world.store.insert('b', {})
    world.store.insert('x', {})
    const killed = await world.kill()
    writeFileSync(join(killed, 'db.json'), '{"a":[]}')
    rmSync(join(killed, 'f/x.json'))
    writeFileSync(join(killed, 'f/y.json'), '[]')
    const next = await openWorld(killed, ['db.json', 'f'])
    expect(next.json('db.json')).toEqual({ a: [{ id: 1 }] })
    expect(next.recovered.map(({ message }) => message)).toEqual([
      'Failed to keep the change of a request to "b": "db.json" was edited in the meantime.',
      'Failed to load all writes: "f/.fixtura/x.json.journal" holds 1 write of a fixture file that was removed.',
    ])
    expect(listAll(killed)).toContain('f/.fixtura/x.json.journal')
  })

  it('of a file that is not served stays', async () => {
    const files = { 'a.json': '{"x":[]}', 'b.json': '{"y":[]}', '.fixtura/b.json.tmp': 'half' }
    const world = await openWorld(createFolder(files), ['a.json', 'b.json'])
    world.store.insert('y', {})
    const killed = await world.kill()
    writeFileSync(join(killed, '.fixtura/b.json.tmp'), 'half')
    const next = await openWorld(killed, ['a.json'])
    expect(next.recovered).toEqual([])
    expect(listAll(killed)).toEqual([
      '.fixtura',
      '.fixtura/b.json.journal',
      '.fixtura/b.json.tmp',
      'a.json',
      'b.json',
    ])
  })

  it('is recovered without the incomplete files of a killed process', async () => {
    const cwd = createFolder({
      'f/posts.json': two,
      'f/.fixtura/posts.json.tmp': 'half',
      'f/.fixtura/users.json.tmp': 'half',
      'f/users.json': '[]',
      'f/.fixtura/posts.json.journal.next': 'half',
      'f/.fixtura/posts.json.journal':
        '{"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"t":"a"}}\n',
    })
    const world = await openWorld(cwd)
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json', 'f/users.json'])
    expect(world.json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
  })
})

function byId(value: unknown): unknown {
  return (value as { id: number }[]).toSorted((a, b) => a.id - b.id)
}
