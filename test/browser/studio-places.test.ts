import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { bundleWorker, startWorkerd, token } from '../workerd.ts'
import { shareApp } from './app.ts'
import { addPost, expectItems, firstItems } from './app-page.ts'
import { openPage, type Tab } from './page.ts'

const dist = join(import.meta.dirname, '../../dist')

/** Edits the title of the first post in the studio, by keyboard. */
async function editTitle(studio: Page, title: string): Promise<void> {
  await studio.getByRole('link', { name: 'Data', exact: true }).click()
  await studio.getByRole('gridcell', { name: 'Hello', exact: true }).waitFor()
  await studio.getByRole('grid', { name: 'Records of posts' }).focus()
  await studio.keyboard.press('ArrowRight')
  await studio.keyboard.press('F2')
  await studio.getByLabel('Edit title').fill(title)
  await studio.keyboard.press('Enter')
  await studio.getByText('Saved title.').waitFor()
}

/** The messages of a page about errors. */
function errorsIn({ lines }: Tab): string[] {
  return lines.filter((line) => /^(?:error|uncaught)/.test(line))
}

/** Opens a URL in another tab of the browser of a page. */
async function openBeside(page: Page, url: string): Promise<Tab> {
  const tab: Tab = { page: await page.context().newPage(), lines: [] }
  tab.page.on('console', (message) => tab.lines.push(`${message.type()}: ${message.text()}`))
  tab.page.on('pageerror', (error) => tab.lines.push(`uncaught: ${error.message}`))
  await tab.page.goto(url)
  return tab
}

describe('the studio of a mock in a page', () => {
  const shared = shareApp({
    prepare: (app) =>
      app.write(
        'src/mock.ts',
        app
          .read('src/mock.ts')
          .replace(
            /await startMock\(.*\)/,
            'Object.assign(globalThis, { started: await startMock(mock) })',
          ),
      ),
  })

  it('has the URL that Vite prints, and follows the page across reloads', async () => {
    const { url, output } = shared().serving
    const home = `${url}__mock/home`
    expect(output.join('\n')).toContain(`Fixtura: ${home}`)
    const first = await openPage()
    const tab = await openBeside(first.page, home)
    const { page: studio } = tab
    await studio.getByText('No page with the mock is open.').waitFor()
    const app = (await openBeside(first.page, url)).page
    await expectItems(app, firstItems)
    await editTitle(studio, 'Edited')
    await app.evaluate(async () => fetch('/api/posts/1'))
    await addPost(app, 'New')
    await expectItems(app, ['3: New by Ada', '2: World by Grace', '1: Edited by Ada'])
    await studio.getByRole('gridcell', { name: 'New', exact: true }).waitFor()
    await studio.getByRole('link', { name: 'Requests', exact: true }).click()
    await studio.getByRole('link', { name: '/api/posts/1', exact: true }).click()
    await studio.getByRole('complementary').getByText('"title": "Edited"').waitFor()
    const downloading = studio.waitForEvent('download')
    await studio.getByRole('button', { name: 'OpenAPI document' }).click()
    expect((await downloading).suggestedFilename()).toBe('openapi.json')
    await studio.getByRole('link', { name: /^Changes/ }).click()
    const edited = studio.getByRole('article', { name: 'posts 1 updated' })
    await edited.getByRole('button', { name: 'Save to fixtures' }).click()
    await studio.getByText('1 record differs').waitFor()
    const saved = shared().read('fixtures/posts.json')
    expect(saved).toContain('Edited')
    expect(saved).not.toContain('New')
    await studio.getByRole('button', { name: 'Discard all' }).click()
    await studio.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await studio.getByText('The data is as the fixtures define it.').waitFor()
    shared().write('fixtures/posts.json', saved.replace('Edited', 'Hello'))
    await expectItems(app, firstItems)
    await app.reload()
    await expectItems(app, firstItems)
    await studio.getByRole('link', { name: 'posts 2' }).click()
    await studio.getByRole('gridcell', { name: 'Hello', exact: true }).waitFor()
    expect(errorsIn(tab)).toEqual([])
  })

  it('opens by a call in the page, without a server that has the studio', async () => {
    const { page } = await openPage(shared().serving.url)
    await expectItems(page, firstItems)
    const opening = page.waitForEvent('popup')
    await page.evaluate(() =>
      (globalThis as unknown as { started: { studio(): Promise<void> } }).started.studio(),
    )
    const studio = await opening
    const failures: string[] = []
    studio.on('pageerror', (error) => failures.push(error.message))
    await editTitle(studio, 'Edited by hand')
    expect(await page.evaluate(async () => (await fetch('/api/posts/1')).json())).toMatchObject({
      title: 'Edited by hand',
    })
    await studio.getByRole('link', { name: '1', exact: true }).first().click()
    await studio.getByRole('button', { name: 'JSON' }).click()
    const editor = studio.getByRole('textbox', { name: 'Record as JSON' })
    await expect.poll(() => editor.innerText()).toContain('Edited by hand')
    await studio.getByRole('link', { name: 'Send a request' }).click()
    await studio.getByLabel('Path').fill('/api/posts?_limit=1')
    await studio.getByRole('button', { name: 'Send', exact: true }).click()
    await studio.getByText('200').waitFor()
    await page.close()
    await studio.getByText('No page with the mock is open.').waitFor()
    expect(failures).toEqual([])
  })
})

describe('the studio of a worker', () => {
  const source = `
import { createWorker } from ${JSON.stringify(join(dist, 'worker.js'))}
import { studio } from ${JSON.stringify(join(dist, 'studio.js'))}
import { auth, files } from ${JSON.stringify(join(dist, 'behaviours.js'))}
const fixtures = { posts: [{ id: 1, title: 'Hello' }, { id: 2, title: 'World' }] }
const use = [files({ posts: { cover: true } }), auth({ protect: ['DELETE *'] })]
const worker = createWorker({ fixtures: { ...fixtures, users: [{ id: 1, name: 'Ada' }] }, use }, { studio })
export const { MockSession } = worker
export default worker
`

  it('is at the root, with the token, and shows the world of a session', async () => {
    const workerd = await startWorkerd(await bundleWorker(source))
    onTestFinished(() => workerd.close())
    const refused = await fetch(workerd.url, { headers: { Accept: 'text/html' } })
    expect(refused.status).toBe(401)
    const tab = await openPage(`${workerd.url}/?token=${token}`)
    const { page: studio } = tab
    await editTitle(studio, 'Of all')
    const posts = `${workerd.url}/posts`
    const headers = { 'X-Mock-Session': 'pr-12', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ title: 'Of the session' })
    await fetch(`${posts}/2`, { method: 'PATCH', headers, body })
    await studio.getByRole('link', { name: 'Switches' }).click()
    await studio.getByRole('link', { name: 'pr-12' }).click()
    await studio.getByText('Session pr-12').waitFor()
    await studio.getByRole('link', { name: 'posts 2' }).click()
    await studio.getByRole('gridcell', { name: 'Of the session' }).waitFor()
    await studio.getByRole('gridcell', { name: 'Of all' }).waitFor()
    await fetch(posts, { method: 'POST', headers, body: JSON.stringify({ title: 'Live' }) })
    await studio.getByRole('gridcell', { name: 'Live' }).waitFor()
    expect(await (await fetch(`${posts}/1`)).json()).toMatchObject({ id: 1, title: 'Of all' })

    // A record with a file, and a request of a user.
    await studio.getByRole('button', { name: 'New record' }).click()
    const form = studio.getByRole('complementary', { name: 'New record of posts' })
    await form.getByLabel('title').fill('With a file')
    const cover = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('A file') }
    await form.getByLabel('cover').setInputFiles(cover)
    await form.getByRole('button', { name: 'Add' }).click()
    await studio.getByText('Added posts 4').waitFor()
    expect(await (await fetch(`${posts}/4/cover`, { headers })).text()).toBe('A file')
    await studio.getByRole('button', { name: 'Save a.txt' }).waitFor()
    await studio.getByRole('link', { name: 'Send a request' }).click()
    await studio.getByLabel('Path').fill('/me')
    await studio.getByLabel('Send as').selectOption('Ada')
    await studio.getByRole('button', { name: 'Send', exact: true }).click()
    await studio.getByText('200').waitFor()
    expect(errorsIn(tab)).toEqual([])
  })
})
