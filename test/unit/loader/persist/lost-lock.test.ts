import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import type { WriteLock } from '../../../../src/loader/persist/lock.ts'
import { lockFixtures } from '../../../../src/loader/persist/lock.ts'
import { createFolder } from '../folder.ts'
import { listAll, openWorld } from '../world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'
const created = { id: 3, t: 'c' }

const taken =
  'Failed to persist "f": another process persists it now, because this process was suspended for more than 10 seconds. Please restart this process.'

/** Writes the lock as another process does that takes it over. */
function takeOver(cwd: string): void {
  writeFileSync(join(cwd, 'f/.fixtura/lock'), '{"pid":1,"host":"elsewhere","token":"x"}')
}

it('a lock that another process has taken over is not held anymore', async () => {
  const cwd = createFolder({ 'f/a.json': [] })
  const lock = await lockFixtures(['f'], cwd)
  onTestFinished(() => lock.release())
  const changes: unknown[] = []
  lock.onChange((error) => changes.push(error?.message))
  expect(lock.isHeld()).toBe(true)
  expect(lock.ensure()).toBe(undefined)
  takeOver(cwd)
  expect(lock.isHeld()).toBe(false)
  await expect(lock.ensure()).rejects.toThrow(taken)
  expect(() => lock.checkOwner()).toThrow(taken)
  // The lock stays lost, as the other process may have changed the files.
  rmSync(join(cwd, 'f/.fixtura'), { recursive: true })
  await expect(lock.ensure()).rejects.toThrow(taken)
  expect(lock.isHeld()).toBe(false)
  expect(changes).toEqual([taken])
  expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
})

it('a lock whose folder was removed is locked again', async () => {
  const cwd = createFolder({ 'f/a.json': [], 'f/v1/b.json': [] })
  const lock = await lockFixtures(['f', 'f/v1'], cwd)
  onTestFinished(() => lock.release())
  rmSync(join(cwd, 'f/.fixtura'), { recursive: true })
  expect(lock.isHeld()).toBe(false)
  expect(() => lock.checkOwner()).not.toThrow()
  await Promise.all([lock.ensure(), lock.ensure()])
  expect(lock.isHeld()).toBe(true)
  await expect(lockFixtures(['f'], cwd)).rejects.toThrow('persists it already')
  await lock.release()
  expect(listAll(cwd)).toEqual(['f', 'f/a.json', 'f/v1', 'f/v1/b.json'])
})

it('a lock whose folder was removed is lost if another process was faster', async () => {
  const cwd = createFolder({ 'f/a.json': [] })
  const lock = await lockFixtures(['f'], cwd)
  onTestFinished(() => lock.release())
  rmSync(join(cwd, 'f/.fixtura/lock'))
  writeFileSync(join(cwd, 'f/.fixtura/a.json.lock'), '{"pid":1,"host":"elsewhere","token":"x"}')
  await expect(lock.ensure()).rejects.toThrow(
    'Failed to persist "f": process 1 persists it already.',
  )
  expect(() => lock.checkOwner()).toThrow('process 1 persists it already')
})

it('the heartbeat locks again, and notices that another process has taken over', async () => {
  const cwd = createFolder({ 'f/a.json': [] })
  const lock = await lockFixtures(['f'], cwd)
  onTestFinished(() => lock.release())
  const changes: unknown[] = []
  lock.onChange((error) => changes.push(error?.message))
  rmSync(join(cwd, 'f/.fixtura'), { recursive: true })
  await expect.poll(() => changes).toEqual([undefined])
  expect(lock.isHeld()).toBe(true)
  takeOver(cwd)
  const before = readFileSync(join(cwd, 'f/.fixtura/lock'), 'utf8')
  await expect.poll(() => changes).toEqual([undefined, taken])
  await lock.release()
  expect(readFileSync(join(cwd, 'f/.fixtura/lock'), 'utf8')).toBe(before)
})

it('a released lock is locked again by the next write', async () => {
  const cwd = createFolder({ 'f/a.json': [] })
  const lock = await lockFixtures(['f'], cwd)
  await lock.release()
  expect(lock.isHeld()).toBe(false)
  await lock.ensure()
  expect(lock.isHeld()).toBe(true)
  await lock.release()
  expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
})

it('a persister whose lock was taken over changes nothing on the disk', async () => {
  const cwd = createFolder({ 'f/posts.json': two })
  const lock = await lockFixtures(['f'], cwd)
  const world = await openWorld(cwd, ['f'], undefined, lock)
  world.store.insert('posts', { t: 'c' })
  await world.persister.settled()
  // The other process plays the journal, and has a journal of its own.
  takeOver(cwd)
  const all = JSON.stringify([...(JSON.parse(two) as object[]), created])
  writeFileSync(join(cwd, 'f/posts.json'), all)
  const journal = join(cwd, 'f/.fixtura/posts.json.journal')
  rmSync(journal)
  writeFileSync(journal, 'other')
  world.store.insert('posts', { t: 'd' })
  await expect(world.persister.settled()).rejects.toThrow(taken)
  await world.persister.flush()
  await world.persister.close()
  await lock.release()
  expect(world.text('f/posts.json')).toBe(all)
  expect(readFileSync(journal, 'utf8')).toBe('other')
  expect(listAll(cwd)).toEqual([
    'f',
    'f/.fixtura',
    'f/.fixtura/lock',
    'f/.fixtura/posts.json.journal',
    'f/posts.json',
  ])
  expect(world.reported.filter(({ message }) => message === taken)).toHaveLength(1)
})

/** A lock that is lost in the moment before its `lostAt`-th check. */
function createLosing(lostAt: number): WriteLock & { checks: number } {
  const lock = {
    checks: 0,
    isHeld: () => ++lock.checks < lostAt,
    isLost: () => lock.checks >= lostAt,
    ensure: () => (lock.isHeld() ? undefined : Promise.reject(new MockErrorLike(taken))),
  }
  return lock
}

class MockErrorLike extends Error {
  override readonly name = 'MockError'
}

it('no response is sent for a write during which the lock was lost', async () => {
  for (let lostAt = 1; lostAt < 8; lostAt++) {
    const cwd = createFolder({ 'f/posts.json': two })
    const lock = createLosing(lostAt)
    const world = await openWorld(cwd, ['f'], undefined, lock)
    world.store.insert('posts', { t: 'c' })
    const settled = world.persister.settled()
    const isAcknowledged = await settled?.then(
      () => true,
      () => false,
    )
    const { checks } = lock
    // The last check before the response is after the write of the journal.
    expect(isAcknowledged).toBe(checks < lostAt)
    if (isAcknowledged) expect(listAll(cwd)).toContain('f/.fixtura/posts.json.journal')
    await world.persister.flush()
    const isWritten = world.text('f/posts.json') !== two
    if (isWritten) expect(lock.checks).toBeGreaterThan(3)
    await world.persister.close()
  }
})

it('a folder .fixtura that was removed comes back with all unsaved writes', async () => {
  const cwd = createFolder({ 'f/posts.json': two })
  const lock = await lockFixtures(['f'], cwd)
  onTestFinished(() => lock.release())
  const world = await openWorld(cwd, ['f'], undefined, lock)
  world.store.insert('posts', { t: 'c' })
  await world.persister.settled()
  for (const remove of [
    () => rmSync(join(cwd, 'f/.fixtura'), { recursive: true }),
    () => renameSync(join(cwd, 'f/.fixtura'), join(cwd, 'moved')),
    () => rmSync(join(cwd, 'f/.fixtura/posts.json.journal')),
  ]) {
    remove()
    world.store.insert('posts', { t: 'next' })
    const next = await openWorld(await world.kill())
    expect(next.json('f/posts.json')).toEqual(world.store.collection('posts').records())
    expect(lock.isHeld()).toBe(true)
  }
  expect(world.reported).toEqual([])
})

it('a folder .fixtura that was removed comes back without a write', async () => {
  const cwd = createFolder({ 'f/posts.json': two, 'f/users.json': '[]' })
  const lock = await lockFixtures(['f'], cwd)
  onTestFinished(() => lock.release())
  const world = await openWorld(cwd, ['f'], undefined, lock)
  world.store.insert('posts', { t: 'c' })
  await world.persister.settled()
  rmSync(join(cwd, 'f/.fixtura'), { recursive: true })
  await lock.ensure()
  await world.persister.repair()
  expect((await openWorld(await world.kill())).json('f/posts.json')).toHaveLength(3)
})
