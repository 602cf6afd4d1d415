import { expect, it } from 'vitest'

import { createPageShapes } from '../../../../src/faces/vite/page-shapes.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import { createFileSource } from '../../../../src/loader/watch/file-source.ts'
import { createFolder } from '../../loader/folder.ts'

it('knows ids, relations and the schemas beside the files', async () => {
  const cwd = createFolder({
    'posts.json': [{ key: 'a', writer: 1 }],
    'posts.schema.json': { properties: { title: { type: 'string', maxLength: 9 } } },
    'users.json': [{ id: 1 }],
  })
  const loaded = await loadFixtures([cwd], { cwd })
  const source = createFileSource([cwd], loaded, { cwd })
  const config = { id: { posts: 'key' }, relations: { posts: { writer: 'users' } } }
  const [posts] = createPageShapes(source, config)()
  expect(posts?.schema).toEqual({
    type: 'object',
    properties: {
      key: { type: 'string' },
      writer: { type: 'integer' },
      title: { type: 'string', maxLength: 9 },
    },
    required: ['key', 'writer'],
  })
  expect(posts?.relations).toEqual([{ place: ['writer'], to: 'users', by: 'configuration' }])
})
