import { describe, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../src/core/types/openapi.ts'
import { createMock } from '../../src/index.ts'
import { createCheck } from './check-response.ts'
import { documentOf, operationsOf } from './document.ts'

const fixtures = { posts: [{ id: 1, title: 'Hello' }] }

/** Documents with a lie, and the request that shows the lie. */
const lies: [title: string, path: string, change: (document: OpenApiDocument) => void][] = [
  ['another type of a field', '/posts/1', ({ components }) => setType(components.schemas['Post'])],
  [
    'a missing status',
    '/posts/9',
    ({ paths }) => delete paths['/posts/{id}']?.get?.responses['404'],
  ],
  [
    'a missing header',
    '/posts/1',
    ({ paths }) => {
      const response = paths['/posts/{id}']?.get?.responses['200']
      if (response && 'headers' in response) delete response.headers
    },
  ],
]

function setType(schema: unknown): void {
  const { properties } = schema as { properties: Record<string, unknown> }
  properties['title'] = { type: 'integer' }
}

describe('the check of responses', () => {
  it.each(lies)('finds %s', async (_title, path, change) => {
    const mock = createMock({ fixtures })
    const document = documentOf(mock, { plain: true })
    const ask = async (): Promise<string[]> => {
      const placed = operationsOf(document).find(
        ({ operation }) => operation.operationId === 'getPost',
      )
      const { status, headers, text } = await fetchText(path)
      return placed ? createCheck(document)(placed, { status, headers, text }) : []
    }
    async function fetchText(
      at: string,
    ): Promise<{ status: number; headers: Headers; text: string }> {
      const response = await mock.fetch(`http://localhost${at}`)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    expect(await ask()).toEqual([])
    change(document)
    expect(await ask()).not.toEqual([])
  })
})
