import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'
import { type Api, createAxiosApi, createFetchApi } from './api.ts'
import { Posts } from './posts.tsx'

// A machine with two busy cores is slow now and then; what hangs is found all the same.
configure({ asyncUtilTimeout: 10_000 })

/** The tests of the app, for any environment that plays a page; its API has another origin. */
export function describePosts(environment: string): void {
  const mock = createMock({
    fixtures: {
      posts: [
        { id: 1, title: 'First' },
        { id: 2, title: 'Second' },
      ],
    },
    base: '/api',
  })
  const server = setupServer(...handlers(mock))
  const apis: [name: string, api: Api][] = [
    ['fetch', createFetchApi('http://api.test/api')],
    ['axios', createAxiosApi('http://api.test/api')],
  ]

  beforeAll(() => server.listen(strict()))
  afterEach(() => {
    cleanup()
    mock.reset()
  })
  afterAll(() => server.close())

  describe.each(apis)(`the posts, with %s in ${environment}`, (_name, api) => {
    it('are listed with their number', async () => {
      render(<Posts api={api} />)
      expect(await screen.findByRole('heading')).toHaveProperty('textContent', '2 posts')
      expect(titles()).toEqual(['First', 'Second'])
    })

    it('can be added to', async () => {
      render(<Posts api={api} />)
      fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Third' } })
      fireEvent.click(screen.getByText('Add'))
      await screen.findByText('Third')
      expect(mock.db.posts.get(3)).toEqual({ id: 3, title: 'Third' })
    })

    it('can be deleted', async () => {
      render(<Posts api={api} />)
      fireEvent.click(await screen.findByLabelText('Delete First'))
      await screen.findByText('1 posts')
      expect(titles()).toEqual(['Second'])
    })

    it('say what went wrong, and can be asked for again', async () => {
      mock.on('GET', '/posts').fail(503, { times: 1 })
      render(<Posts api={api} />)
      expect(await screen.findByRole('alert')).toHaveProperty(
        'textContent',
        expect.stringContaining('503'),
      )
      fireEvent.click(screen.getByText('Try again'))
      expect(await screen.findByRole('heading')).toHaveProperty('textContent', '2 posts')
      expect(mock.log.map(({ status, reason }) => [status, reason])).toEqual([
        [503, 'rule 1 answered'],
        [200, ''],
      ])
    })

    it('say that the network is down', async () => {
      mock.on('*', '*').drop()
      render(<Posts api={api} />)
      expect(await screen.findByRole('alert')).toHaveProperty(
        'textContent',
        expect.stringMatching(/network|fetch/i),
      )
    })

    it('show that they are loading', async () => {
      mock.on('GET', '/posts').delay(20)
      render(<Posts api={api} />)
      expect(screen.getByText('Loading')).toBeDefined()
      await screen.findByRole('heading')
    })
  })
}

function titles(): (string | undefined)[] {
  return screen.getAllByRole('listitem').map((item) => item.firstChild?.textContent ?? undefined)
}
