import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { createFeed } from '../../../../src/faces/vite/feed.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import { createFileSource } from '../../../../src/loader/watch/file-source.ts'
import { createFolder } from '../../loader/folder.ts'
import { settle } from '../../loader/world.ts'

it('has what changed after a revision, as it is now', async () => {
  const cwd = createFolder({ 'db.json': { posts: [1], tags: [1], users: [1] } })
  const source = createFileSource(['db.json'], await loadFixtures(['db.json'], { cwd }), { cwd })
  const feed = createFeed(source)
  source.onChange((change) => void feed.record(change))
  const save = async (text: string): Promise<void> => {
    writeFileSync(join(cwd, 'db.json'), text)
    await settle(source.scanner)
  }
  expect(feed.since(0)).toEqual({ revision: 0, changed: {}, removed: [] })
  await save('{ "posts": [2], "tags": [1], "users": [1] }')
  await save('{ "posts": [3], "users": [1] }')
  expect(feed.data).toEqual({ posts: [3], users: [1] })
  expect(feed.since(0)).toEqual({ revision: 2, changed: { posts: [3] }, removed: ['tags'] })
  expect(feed.since(1)).toEqual({ revision: 2, changed: { posts: [3] }, removed: ['tags'] })
  expect(feed.since(2)).toEqual({ revision: 2, changed: {}, removed: [] })
  expect(feed.errors).toEqual([])
  await save('{ "posts": [3],')
  expect(feed.errors).toMatchObject([{ file: 'db.json' }])
  await save('{ "posts": [3], "users": [4] }')
  expect(feed.errors).toEqual([])
  expect(feed.since(2)).toMatchObject({ changed: { users: [4] }, removed: [] })
})
