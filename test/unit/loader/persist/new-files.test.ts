import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { canLink, createFolder } from '../folder.ts'
import { listAll, openWorld, settle, type World } from '../world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'
const created = { id: 3, t: 'c' }
const all = [...(JSON.parse(two) as object[]), created]

/** A folder that a killed process has left, whose fixture file was moved away after that. */
async function openWithoutFile(): Promise<World> {
  const world = await openWorld(createFolder({ 'f/posts.json': two, 'f/users.json': '[]' }))
  world.store.insert('posts', { t: 'c' })
  const killed = await world.kill()
  renameSync(join(killed, 'f/posts.json'), join(killed, 'posts.json'))
  const next = await openWorld(killed)
  expect(next.recovered).toMatchObject([
    { severity: 'warning', file: 'f/.fixtura/posts.json.journal' },
  ])
  return next
}

function restore({ cwd }: World): void {
  renameSync(join(cwd, 'posts.json'), join(cwd, 'f/posts.json'))
}

describe('a fixture file that is back while the server runs', () => {
  it('has the writes of its journal at once', async () => {
    const world = await openWithoutFile()
    restore(world)
    await world.scanner.scan()
    expect(world.store.collection('posts').records()).toEqual(all)
    expect(world.json('f/posts.json')).toEqual(all)
    expect(listAll(world.cwd)).toEqual(['f', 'f/posts.json', 'f/users.json'])
    world.store.remove('posts', '1')
    await world.persister.close()
    expect(world.json('f/posts.json')).toEqual(all.slice(1))
    expect(world.reported).toEqual([])
  })

  it('keeps the edits that were made to it, and reports the dropped writes once', async () => {
    const world = await openWithoutFile()
    const edited = [...(JSON.parse(two) as object[]), { id: 3, t: 'hand' }]
    writeFileSync(join(world.cwd, 'f/posts.json'), JSON.stringify(edited))
    await settle(world.scanner)
    expect(world.store.collection('posts').records()).toEqual(edited)
    expect(world.reported.map(({ message }) => message)).toEqual([
      'Failed to keep the change of a request to "posts/3": "f/posts.json" was edited in the meantime.',
    ])
  })

  it('keeps its journal until it has no error', async () => {
    const world = await openWithoutFile()
    writeFileSync(join(world.cwd, 'f/posts.json'), '[ half')
    await settle(world.scanner)
    expect(world.reported).toMatchObject([{ file: 'f/posts.json' }])
    expect(listAll(world.cwd)).toContain('f/.fixtura/posts.json.journal')
    restore(world)
    await settle(world.scanner)
    expect(world.store.collection('posts').records()).toEqual(all)
    expect(world.resolved).toEqual(['f/posts.json'])
  })

  it('is not served until its journal can be read', async () => {
    const world = await openWithoutFile()
    const journal = join(world.cwd, 'f/.fixtura/posts.json.journal')
    const lines = readFileSync(journal)
    rmSync(journal)
    mkdirSync(journal)
    restore(world)
    await settle(world.scanner)
    await settle(world.scanner)
    expect(world.store.resources.has('posts')).toBe(false)
    expect(world.reported).toMatchObject([
      {
        severity: 'error',
        file: 'f/posts.json',
        message: 'Failed to read "f/.fixtura/posts.json.journal": it is a folder.',
      },
    ])
    rmdirSync(journal)
    writeFileSync(journal, lines)
    await settle(world.scanner)
    expect(world.store.collection('posts').records()).toEqual(all)
    expect(world.resolved).toEqual(['f/posts.json'])
  })

  it('has its journal played again after each time that it was gone', async () => {
    const world = await openWithoutFile()
    const journal = join(world.cwd, 'f/.fixtura/posts.json.journal')
    const lines = readFileSync(journal)
    restore(world)
    await settle(world.scanner)
    writeFileSync(join(world.cwd, 'posts.json'), two)
    rmSync(join(world.cwd, 'f/posts.json'))
    await settle(world.scanner)
    mkdirSync(join(world.cwd, 'f/.fixtura'), { recursive: true })
    writeFileSync(journal, lines)
    restore(world)
    await settle(world.scanner)
    expect(world.store.collection('posts').records()).toEqual(all)
  })

  it.runIf(canLink)('is refused if a file with unsaved writes has its path', async () => {
    const world = await openWorld(createFolder({ 'f/posts.json': two }))
    world.store.insert('posts', { t: 'c' })
    await world.persister.settled()
    symlinkSync('posts.json', join(world.cwd, 'f/texts.json'))
    await settle(world.scanner)
    expect(world.store.resources.has('texts')).toBe(false)
    expect(world.reported.map(({ message }) => message)).toEqual([
      'Failed to persist "f/texts.json": it is the same file as "f/posts.json".',
    ])
    await world.persister.flush()
    expect(world.json('f/posts.json')).toEqual(all)
  })
})

it('a journal of another run is never changed', async () => {
  const world = await openWorld(createFolder({ 'f/posts.json': two }))
  const journal = join(world.cwd, 'f/.fixtura/posts.json.journal')
  mkdirSync(join(world.cwd, 'f/.fixtura'))
  writeFileSync(journal, 'other')
  world.store.insert('posts', { t: 'c' })
  await world.persister.settled()
  expect(world.reported.map(({ message, advice }) => `${message} ${advice}`)).toEqual([
    'Failed to write "f/posts.json": a journal of another run has the path of its journal. Please start again with --persist. Until then, requests are answered from memory, and the write is retried.',
  ])
  await world.persister.close()
  expect(world.json('f/posts.json')).toEqual(all)
  expect(readFileSync(journal, 'utf8')).toBe('other')
})

it.runIf(canLink)('the journal of the new target of a link is played', async () => {
  const cwd = createFolder({ 'a/posts.json': two, 'b/posts.json': two, 'f/users.json': '[]' })
  symlinkSync(join(cwd, 'b/posts.json'), join(cwd, 'f/posts.json'))
  const world = await openWorld(cwd)
  world.store.insert('posts', { t: 'c' })
  const killed = await world.kill()
  const link = (target: string): void => {
    rmSync(join(killed, 'f/posts.json'))
    symlinkSync(join(killed, target), join(killed, 'f/posts.json'))
  }
  link('a/posts.json')
  const next = await openWorld(killed)
  next.store.replace('posts', '1', { id: 1, t: 'request' })
  await next.persister.settled()
  link('b/posts.json')
  await next.persister.flush()
  await next.persister.close()
  expect(next.json('b/posts.json')).toEqual([{ id: 1, t: 'request' }, ...all.slice(1)])
  expect(next.text('a/posts.json')).toBe(two)
  expect(listAll(killed).filter((name) => name.includes('.fixtura'))).toEqual([])
})
