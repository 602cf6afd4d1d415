import { fireEvent, screen } from '@testing-library/dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mount } from '../src/mount.tsx'
import { mock } from './mock.ts'

let unmount: () => void
beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>'
})
afterEach(() => unmount())
const start = () => {
  unmount = mount(document.body.children[0] as Element)
}
const items = async () => (await screen.findAllByRole('listitem')).map((item) => item.textContent)

test('lists the posts with their authors, the newest first', async () => {
  start()
  expect(await items()).toEqual(['World by BobDelete', 'Hello by AdaDelete'])
})

test('says that there are no posts', async () => {
  mock.db.posts.clear()
  start()
  expect(await screen.findByText('No posts yet.')).toBeTruthy()
})

test('adds a post', async () => {
  start()
  await items()
  fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'New' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText(/New by Ada/)).toBeTruthy()
  expect(mock.db.posts.get(3)).toEqual({ id: 3, title: 'New', userId: 1 })
})

test('lets the user try again after an error', async () => {
  mock.on('GET', '/posts').fail(503, { times: 1 })
  start()
  expect(await screen.findByRole('alert')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await items()).toHaveLength(2)
  expect(mock.log.count('GET /posts')).toBe(2)
})
