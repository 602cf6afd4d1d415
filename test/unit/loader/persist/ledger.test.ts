import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { createHandles } from '../../../../src/loader/persist/handles.ts'
import { createJournal } from '../../../../src/loader/persist/journal.ts'
import { type JournalEntry, readJournal } from '../../../../src/loader/persist/journal-entry.ts'
import { statePathsOf } from '../../../../src/loader/persist/state-folder.ts'
import { createFolder } from '../folder.ts'
import { noLock, openWorld } from '../world.ts'

it('writes a large journal anew, without the states in between', async () => {
  const paths = statePathsOf(join(createFolder({ 'a.json': [] }), 'a.json'))
  const journal = createJournal(paths, {
    lock: noLock,
    handles: createHandles(),
    onResult: () => undefined,
  })
  const states = Array.from({ length: 24 }, (_, n) => ({ id: 1, t: String(n).repeat(2 ** 21) }))
  const sizes: number[] = []
  for (const [at, to] of states.entries()) {
    const previous = states[at - 1] ?? null
    journal.append({ name: 'a', id: '1', from: at === 0 ? null : undefined, previous, to })
    await journal.settled()
    sizes.push(statSync(paths.journal).size)
  }
  expect(Math.max(...sizes)).toBeLessThan(2 ** 25 + 2 ** 23)
  expect(Math.min(...sizes.slice(12))).toBeLessThan(2 ** 23)
  const read: JournalEntry[] = []
  await readJournal(paths.journal, (entry) => read.push(entry))
  expect(read[0]).toMatchObject({ name: 'a', id: '1', from: null })
  expect(read.at(-1)?.edits).toEqual([{ at: ['t'], to: states.at(-1)?.t }])
  await journal.close()
})

it('keeps in a journal that is written anew each state that the file may have', async () => {
  const world = await openWorld(createFolder({ 'f/a.json': [{ id: 1, t: 'start' }] }))
  const path = join(world.cwd, 'f/.fixtura/a.json.journal')
  const write = async (t: string): Promise<void> => {
    world.store.replace('a', '1', { id: 1, t })
    await world.persister.settled()
  }
  const { exclusive } = world.scanner
  await write('first')
  await write('second')
  // The file has the second state, but not the journal is told so.
  world.scanner.exclusive = async (run) => {
    await exclusive(run)
    throw new Error('lost')
  }
  await world.persister.flush()
  world.scanner.exclusive = exclusive
  await write('third')
  await write('fourth')
  expect(world.json('f/a.json')).toEqual([{ id: 1, t: 'second' }])
  rmSync(path)
  await write('last')
  const states: unknown[] = []
  await readJournal(path, ({ from, to, edits }) => states.push([from, to ?? edits?.[0]?.to]))
  expect(states).toEqual([
    [{ id: 1, t: 'start' }, 'second'],
    [{ id: 1, t: 'second' }, 'last'],
  ])
})
