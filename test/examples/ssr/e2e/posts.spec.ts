import { expect } from '@playwright/test'
import { mockTest } from 'fixtura/playwright'
import { connect } from 'fixtura/remote'

interface Data {
  posts: { id: number; title: string; createdAt: string }[]
}

const url = `http://localhost:${process.env['MOCK_PORT'] ?? '3000'}`
const test = mockTest<Data>({ url })

test.describe('each test has its own data, rules and clock', () => {
  for (let number = 1; number <= 50; number++) {
    test(`test ${number}`, async ({ page, mock }) => {
      const time = new Date(Date.UTC(2030, 0, number)).toISOString()
      const first = `Post ${number}`
      const second = `New ${number}`
      await mock.clock.set(time)
      await mock.db.posts.clear()
      await mock.db.posts.insert({ id: number, title: first, createdAt: '' })

      await page.goto('/')
      await expect(page.getByRole('listitem')).toHaveText([first])

      await page.getByLabel('Title').fill(second)
      await page.getByRole('button', { name: 'Add' }).click()
      await expect(page.getByRole('listitem')).toHaveText([first, `${second} ${time.slice(0, 10)}`])
      expect((await mock.db.posts.all()).map(({ title }) => title)).toEqual([first, second])

      await page.goto('/client')
      await expect(page.getByRole('listitem')).toHaveText([first, `${second} ${time.slice(0, 10)}`])

      await mock.on('GET', '/posts').fail(503)
      await page.goto('/')
      await expect(page.getByText('The posts cannot be loaded: 503.')).toBeVisible()
      expect(await mock.log.count('POST /posts')).toBe(1)
      expect(await mock.log.count({ method: 'GET', path: '/posts', status: 503 })).toBe(1)
    })
  }
})

for (let round = 1; round <= 10; round++) {
  test(`50 pages at the same time have the data of their sessions, round ${round}`, async ({
    baseURL,
    mockSession,
  }) => {
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    const pages = await Promise.all(
      numbers.map(async (number) => {
        const session = `${mockSession}-${number}`
        const mock = connect<Data>(url, { session })
        await mock.db.posts.insert({ title: `Only ${number}`, createdAt: '' })
        // Playwright's own requests look up an IPv6 address first, which may need a name server.
        const headers = { Cookie: `mock-session=${session}` }
        const html = await (await fetch(`${baseURL}/`, { headers })).text()
        await mock.end()
        return [...new Set(html.match(/Only \d+/g))]
      }),
    )
    expect(pages).toEqual(numbers.map((number) => [`Only ${number}`]))
  })
}

for (const location of ['https://api.example.com/posts', '/api/posts']) {
  test(`a redirect to ${location} leads to the mock, and cookies come through`, async ({
    page,
    context,
    mock,
  }) => {
    await mock.db.posts.insert({ title: 'Logged in', createdAt: '' })
    const headers = { Location: location, 'Set-Cookie': 'sid=1; Path=/' }
    await mock.on('GET', '/login').reply(302, '', { headers })
    await page.goto('/login')
    await expect(page.getByText(/302.*Logged in/s)).toBeVisible()
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`)
    expect(cookies).toContain('sid=1')
  })
}

test('a request without a session gets the shared data', async ({ baseURL }) => {
  const html = await (await fetch(`${baseURL}/`)).text()
  expect(html).toContain('Hello')
})
