// @vitest-environment jsdom
import { composeStories, setProjectAnnotations } from '@storybook/react'
import type { Meta, Preview, StoryObj } from '@storybook/react'
import { setupServer } from 'msw/node'
import { useEffect, useState } from 'react'
import { definePreviewAddon } from 'storybook/internal/csf'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { scenarios } from '../../../dist/behaviours.js'
import { createMock } from '../../../dist/index.js'
import { handlers, strict } from '../../../dist/msw.js'
import { mockStories, type MockParameters } from '../../../dist/storybook.js'

const mock = createMock({
  base: '/api',
  fixtures: { posts: [{ id: 1, title: 'Hello' }], profile: { theme: 'dark' } },
  use: [scenarios({ sets: { empty: { fixtures: { posts: [] } } } })],
})

const annotations = mockStories(mock)
// Storybook's own types take the annotations, in both forms of its preview.
const preview: Preview = { ...annotations }
definePreviewAddon(annotations)

function Posts() {
  const [text, setText] = useState('…')
  useEffect(() => {
    const load = async (): Promise<void> => {
      const response = await fetch('http://localhost/api/posts')
      const posts = (await response.json()) as { title: string }[]
      setText(response.ok ? `${posts.length}: ${posts.map(({ title }) => title).join()}` : 'Failed')
    }
    load().catch(() => setText('Aborted'))
  }, [])
  return <p>{text}</p>
}

const withMock = (mock: MockParameters): StoryObj => ({ parameters: { mock } })
const stories = {
  default: { component: Posts } satisfies Meta,
  Plain: {} as StoryObj,
  Empty: withMock({ scenario: 'empty' }),
  Own: withMock({ data: { posts: [{ id: 5, title: 'Own' }] } }),
  Broken: withMock({ rules: [{ on: 'GET /posts', status: 500 }] }),
  Edited: {
    parameters: { mock: ({ db }: typeof mock) => db.posts.insert({ title: 'More' }) },
    play: ({ loaded }) => {
      expect((loaded['mock'] as typeof mock).db.posts.all()).toHaveLength(2)
    },
  } as StoryObj,
  Unknown: withMock({ data: { post: [] } }),
  Misspelt: withMock({ scenario: 'empti' }),
}

const server = setupServer(...handlers(mock))
beforeAll(() => server.listen(strict()))
afterAll(() => server.close())
afterEach(() => document.body.replaceChildren())

describe('mockStories with composeStories', () => {
  setProjectAnnotations(preview)
  const composed = composeStories(stories)

  it.each([
    ['the fixtures', composed.Plain, '1: Hello'],
    ['a scenario', composed.Empty, '0: '],
    ['data of its own', composed.Own, '1: Own'],
    ['a rule', composed.Broken, 'Failed'],
    ['what a function changes', composed.Edited, '2: Hello,More'],
    ['the fixtures again', composed.Plain, '1: Hello'],
  ])('shows a story with %s', async (_, Story, expected) => {
    await Story.run()
    await expect.poll(() => document.body.textContent).toContain(expected)
  })

  it.each([
    ['a collection that is unknown', composed.Unknown, '"post"'],
    ['a scenario that is unknown', composed.Misspelt, 'empti'],
  ])('refuses %s', async (_, Story, expected) => {
    await expect(Story.run()).rejects.toThrow(expected)
  })

  it('leaves the mock as it was', () => {
    expect(mock.db.posts.all()).toEqual([{ id: 1, title: 'Hello' }])
  })
})
