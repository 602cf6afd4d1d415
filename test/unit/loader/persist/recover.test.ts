import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { findUnsaved } from '../../../../src/loader/persist/recover.ts'
import { createFolder } from '../folder.ts'
import { openWorld } from '../world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'
const line = '{"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"t":"a"}}\n'
const advice =
  'It holds writes of an earlier run. Please make it readable and start again with --persist, or delete it to give up these writes.'

describe('a journal that cannot be read', () => {
  // A folder in its place cannot be read by root either, whom permissions do not stop.
  const unreadable: [title: string, journal: string | undefined, reason: string][] = [
    ['for a reason of the file system', undefined, 'it is a folder'],
    ['as a line is damaged', `${line}{"type"\n${line}`, 'line 2 is not a journal entry'],
    ['as a line is no entry', `${line}{"collection":"posts"}\n`, 'line 2 is not a journal entry'],
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
