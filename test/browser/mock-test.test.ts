import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openProject, type Project } from '../examples/project.ts'

const packages = ['@playwright/test', 'vite']
const ports = ['3000', '5173']

/** Runs the tests of an example with Playwright; the browser is that of the machine. */
async function runTests({ folder, run }: Project, ...args: string[]): Promise<Report> {
  const browser = {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  }
  const config = `import config from './playwright.config.ts'
export default { ...config, workers: 2, use: { ...config.use, launchOptions: ${JSON.stringify(browser)} } }`
  writeFileSync(join(folder, 'machine.config.ts'), config)
  const output = await run(
    '@playwright/test/cli.js',
    'test',
    '--config=machine.config.ts',
    '--reporter=json',
    ...args,
  )
  try {
    return JSON.parse(output.slice(output.indexOf('{'))) as Report
  } catch (cause) {
    throw new Error(output, { cause })
  }
}

interface Report {
  errors: { message: string }[]
  stats: { expected: number; unexpected: number; skipped: number }
  suites: Suite[]
}

interface Suite {
  suites?: Suite[]
  specs: { title: string; tests: { results: Result[] }[] }[]
}

interface Result {
  status: string
  error?: { message: string }
  attachments: { name: string; contentType: string; body?: string }[]
}

/** The last result of each test, by its title. */
function resultsOf({ suites = [] }: { suites?: Suite[] }): Map<string, Result | undefined> {
  return new Map(
    suites.flatMap((suite) => [
      ...suite.specs.map(({ title, tests }) => [title, tests[0]?.results.at(-1)] as const),
      ...resultsOf(suite),
    ]),
  )
}

it('passes the tests of the example', async () => {
  const project = await openProject('remote', packages, ports)
  const { stats, errors } = await runTests(project, '--repeat-each=3')
  expect([stats.expected, stats.unexpected, errors]).toEqual([9, 0, []])
})

/** Tests that a user would not write: what fails, and what a session must not reach. */
const spec = `
import { createServer } from 'node:http'
import { expect, mergeTests, test as base } from '@playwright/test'
import { mockTest } from 'fixtura/playwright'

const url = 'http://localhost:3000'
const test = mockTest<{ posts: { id: number; title: string }[] }>({ url })

test('fails after requests', async ({ page, mock }) => {
  await mock.on('GET', '/posts').fail(503)
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('The posts cannot be loaded.')
  await page.getByLabel('Title').fill('New')
  await page.getByRole('button').click()
  await expect.poll(() => mock.log.count('POST /posts')).toBe(1)
  throw new Error('on purpose')
})

test('sends the session to the mock and the application alone', async ({ page, context, mockSession, mock }) => {
  const requests = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end('{}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  await page.goto('/')
  await page.evaluate((other) => fetch(other).then((response) => response.text()), 'http://127.0.0.1:' + server.address().port)
  server.close()
  expect(requests).toHaveLength(1)
  expect(requests[0]['x-mock-session']).toBeUndefined()
  expect(requests[0].cookie).toBeUndefined()
  expect(await page.evaluate(() => document.cookie)).toBe('mock-session=' + mockSession)
  await expect.poll(() => mock.log.count('GET /posts')).toBe(1)
  expect((await mock.log.find('GET /posts')).headers).toHaveProperty('x-mock-session')
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['mock-session'])
})

test('sends other requests by a route of the test', async ({ page, mock }) => {
  await page.route('**/api/**', (route) => route.fallback())
  await mock.db.posts.clear()
  await page.goto('/')
  await expect.poll(() => mock.log.count('GET /posts')).toBe(1)
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('needs no browser', async ({ mock, mockSession, request }) => {
  await mock.db.posts.clear()
  const headers = { 'X-Mock-Session': mockSession }
  expect(await (await request.get(url + '/api/posts', { headers })).json()).toEqual([])
  expect(await (await request.get(url + '/api/posts')).json()).toHaveLength(2)
})

const named = base.extend<{ name: string }>({ name: 'Ada' })
const given = mockTest({ url, test: named })
given('extends a given test', async ({ mock, name }) => {
  await mock.db.posts.insert({ title: name })
  expect(await mock.db.posts.count()).toBe(3)
})

mergeTests(test, named)('is merged with another test', async ({ mock, name }) => {
  await mock.db.posts.insert({ title: name })
})

const lost = mockTest({ url: 'http://localhost:9' })
lost('has no mock', async ({ page }) => {
  await page.goto('/')
})

test.afterAll(async () => {
  const { connect } = await import('fixtura/remote')
  const response = await fetch(url + '/__mock/sessions')
  console.log('sessions', await response.json())
  expect(await connect(url).db.posts.count()).toBe(2)
})
`

it('isolates every test, and reports the requests of a failed one', async () => {
  const project = await openProject('remote', packages, ports)
  const text = [...project.ports].reduce((all, [from, to]) => all.replaceAll(from, `${to}`), spec)
  mkdirSync(join(project.folder, 'more'))
  writeFileSync(join(project.folder, 'more/more.spec.ts'), text)
  const config = join(project.folder, 'playwright.config.ts')
  const own = readFileSync(config, 'utf8').replace("testDir: 'e2e'", "testDir: 'more'")
  writeFileSync(config, own.replace('fullyParallel: true', 'fullyParallel: false'))
  const report = await runTests(project)
  const results = resultsOf(report)
  const failed = [...results].filter(([, result]) => result?.status !== 'passed')
  expect(report.errors).toEqual([])
  expect(failed.map(([title, result]) => [title, result?.error?.message])).toEqual([
    ['fails after requests', expect.stringContaining('on purpose')],
    [
      'has no mock',
      expect.stringContaining('Failed to reach the mock at "http://localhost:9": bad port.'),
    ],
  ])
  const [attached] = results.get('fails after requests')?.attachments ?? []
  expect(attached).toMatchObject({ name: 'requests to the mock', contentType: 'text/plain' })
  const lines = Buffer.from(attached?.body ?? '', 'base64').toString()
  expect(lines).toMatch(
    /^GET \/api\/posts 503 \d+ ms {2}rule 1 answered\nPOST \/api\/posts 201 \d+ ms\n {2}\{"title":"New"\}/,
  )
})
