import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { findUnsaved } from '../../../../src/loader/persist/find-unsaved.ts'
import { createFolder } from '../folder.ts'
import { listAll, openWorld } from '../world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'
const line = '{"name":"posts","id":"1","from":{"id":1,"t":"a"},"to":null}\n'
const advice =
  'It holds writes of an earlier run. Please make it readable and start again with --persist, or delete it to give up these writes.'

describe('a journal that cannot be read', () => {
  // A folder in its place cannot be read by root either, whom permissions do not stop.
  const unreadable: [title: string, journal: string | undefined, reason: string][] = [
    ['for a reason of the file system', undefined, 'it is a folder'],
    ['as a line is damaged', `${line}{"name"\n${line}`, 'line 2 is not a journal entry'],
    ['as a line is no entry', `${line}{"name":"posts"}\n`, 'line 2 is not a journal entry'],
    [
      'as the edits of a line have no record',
      '{"name":"posts","id":"2","edits":[]}\n',
      '"2" has no earlier entry',
    ],
    [
      'as the edits of a line do not fit',
      '{"name":"posts","id":"2","from":{"id":2},"edits":[{"at":["a","b"],"to":1}]}\n',
      'there is no ["a","b"] to change',
    ],
  ]

  it.each(unreadable)('%s, is an error and stays', async (_title, journal, reason) => {
    const cwd = createFolder({ 'f/posts.json': two, 'f/.fixtura/x.journal': '' })
    const path = join(cwd, 'f/.fixtura/posts.json.journal')
    if (journal === undefined) mkdirSync(path)
    else writeFileSync(path, journal)
    const { recovered } = await openWorld(cwd)
    expect(recovered).toEqual([
      {
        severity: 'error',
        file: 'f/.fixtura/posts.json.journal',
        message: `Failed to read "f/.fixtura/posts.json.journal": ${reason}.`,
        advice,
      },
    ])
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(join(cwd, 'f/posts.json'), 'utf8')).toBe(two)
  })

  it('is an error, if its fixture file was removed', async () => {
    const cwd = createFolder({ 'f/posts.json': two })
    mkdirSync(join(cwd, 'f/.fixtura/users.json.journal'), { recursive: true })
    const { recovered } = await openWorld(cwd)
    expect(recovered).toMatchObject([
      { severity: 'error', file: 'f/.fixtura/users.json.journal', advice },
    ])
  })

  it('is a warning without --persist', async () => {
    const cwd = createFolder({ 'f/posts.json': two })
    mkdirSync(join(cwd, 'f/.fixtura/posts.json.journal'), { recursive: true })
    expect(await findUnsaved(['f'], { cwd })).toEqual([
      {
        severity: 'warning',
        file: 'f/.fixtura/posts.json.journal',
        message: 'Failed to read "f/.fixtura/posts.json.journal": it is a folder.',
        advice,
      },
    ])
  })
})

describe('a journal of edits', () => {
  const record = {
    id: 1,
    title: 'a',
    list: Array.from({ length: 2000 }, (_, n) => ({ n, text: `é ${n}` })),
  }

  it('has only what changed in a record, and restores it', async () => {
    const world = await openWorld(createFolder({ 'f/big.json': [record, { id: 2 }] }))
    const path = join(world.cwd, 'f/.fixtura/big.json.journal')
    const sizes: number[] = []
    const states: unknown[] = []
    for (let step = 0; step < 20; step++) {
      const before = world.store.collection('big').existing('1')
      const list = (before['list'] as typeof record.list).map((one) => ({ ...one }))
      list.splice(step * 7, step % 3, { n: -1 - step, text: 'é new' })
      world.store.replace('big', '1', { ...before, list, title: `t ${step}` })
      await world.persister.settled()
      sizes.push(statSync(path).size)
      states.push(world.store.collection('big').existing('1'))
    }
    const size = Buffer.byteLength(JSON.stringify(record))
    expect(sizes[0]).toBeLessThan(size + 300)
    expect(sizes[19]).toBeLessThan(size + 20 * 300)
    const killed = await world.kill()
    const journal = readFileSync(path)
    for (const state of [record, ...states]) {
      const cwd = createFolder({ 'f/big.json': [state, { id: 2 }] })
      mkdirSync(join(cwd, 'f/.fixtura'))
      writeFileSync(join(cwd, 'f/.fixtura/big.json.journal'), journal)
      const next = await openWorld(cwd)
      expect(next.recovered).toEqual([])
      expect(next.json('f/big.json')).toEqual([states.at(-1), { id: 2 }])
    }
    expect((await openWorld(killed)).json('f/big.json')).toEqual([states.at(-1), { id: 2 }])
    expect(listAll(killed)).toEqual(['f', 'f/big.json'])
  })

  it('keeps the version of a record that was edited by hand', async () => {
    const world = await openWorld(createFolder({ 'f/big.json': [record] }))
    world.store.replace('big', '1', { ...record, title: 'request' })
    const killed = await world.kill()
    const edited = [{ ...record, list: [] }]
    writeFileSync(join(killed, 'f/big.json'), JSON.stringify(edited))
    const next = await openWorld(killed)
    expect(next.recovered).toMatchObject([{ severity: 'warning', file: 'f/big.json' }])
    expect(next.json('f/big.json')).toEqual(edited)
  })
})
