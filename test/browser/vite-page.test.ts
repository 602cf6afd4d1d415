import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createApp, type Installed, shareApp } from './app.ts'
import { addPost, expectAnswer, expectItems, firstItems, markPage, useApp } from './app-page.ts'
import { openPage } from './page.ts'

const installed: [title: string, installed: Installed][] = [
  ['Vite 8 and msw 2', { vite: 'vite', msw: 'msw' }],
  ['Vite 8 and msw 3', { vite: 'vite', msw: 'msw3' }],
  ['Vite 7 and msw 3', { vite: 'vite7', msw: 'msw3' }],
  ['Vite 6 and msw 2', { vite: 'vite6', msw: 'msw' }],
]

describe.each(installed)('a page with %s', (_, versions) => {
  const shared = shareApp(versions)

  it('lists, creates, edits and deletes', async () => {
    const { page, lines } = await openPage(shared().serving.url)
    await useApp(page)
    expect(lines.filter((line) => /^(?:warning|uncaught)/.test(line))).toEqual([])
  })

  it('follows the fixtures without a reload', async () => {
    const { serving, ...app } = shared()
    const { page } = await openPage(serving.url)
    await expectItems(page, firstItems)
    const isSame = await markPage(page)
    await addPost(page, 'Mine')
    await expectItems(page, ['3: Mine by Ada', '2: World by Grace', '1: Hello by Ada'])

    app.write('fixtures/posts.json', app.read('fixtures/posts.json').replace('World', 'Edited'))
    await expectItems(page, ['3: Mine by Ada', '2: Edited by Grace', '1: Hello by Ada'])

    const whole = app.read('fixtures/posts.json')
    app.write('fixtures/posts.json', whole.replace('"title"', 'title'))
    const overlay = page.locator('vite-error-overlay')
    await overlay.getByText('fixtures/posts.json:2:').waitFor()
    await expectItems(page, ['3: Mine by Ada', '2: Edited by Grace', '1: Hello by Ada'])
    expect(serving.output.join('\n')).toContain('fixtures/posts.json:2:')

    app.write('fixtures/posts.json', whole.replace('Edited', 'Mended'))
    await expectItems(page, ['3: Mine by Ada', '2: Mended by Grace', '1: Hello by Ada'])
    await overlay.waitFor({ state: 'detached' })

    app.write('fixtures/tags.json', '[{ "id": "a" }]')
    await expectAnswer(page, '/api/tags', [{ id: 'a' }])
    app.remove('fixtures/tags.json')
    await expectAnswer(page, '/api/tags', 404)
    await expectItems(page, ['3: Mine by Ada', '2: Mended by Grace', '1: Hello by Ada'])
    expect(await isSame()).toBe(true)
  })
})

describe('a page that also imports a fixture', () => {
  it.each(['vite', 'vite6'] as const)(
    'is reloaded when the fixture is edited, with %s',
    async (vite) => {
      const app = createApp({ vite })
      const main = app.read('src/main.ts')
      const posts = "import posts from '../fixtures/posts.json'\nconst [first] = posts\n"
      app.write('src/main.ts', `${posts}${main}\ndocument.title = first?.title ?? ''\n`)
      const { url } = await app.dev()
      const { page } = await openPage(url)
      await expectItems(page, firstItems)
      expect(await page.title()).toBe('Hello')
      app.write('fixtures/posts.json', app.read('fixtures/posts.json').replace('Hello', 'Edited'))
      await expect.poll(() => page.title()).toBe('Edited')
      await expectItems(page, ['2: World by Grace', '1: Edited by Ada'])
    },
  )
})

describe('a page without fixtures', () => {
  it('is served while there are no fixtures, and shows those that are added', async () => {
    const app = createApp()
    const posts = app.read('fixtures/posts.json')
    app.remove('fixtures')
    const { url } = await app.dev()
    const { page } = await openPage(url)
    const overlay = page.locator('vite-error-overlay')
    await overlay.getByText('there is no such file or folder').waitFor()
    app.write('fixtures/posts.json', posts)
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'Hello', userId: 1 })
    await overlay.waitFor({ state: 'detached' })
  })
})

describe('a page', () => {
  const shared = shareApp()
  const original = new Map<string, string>()

  beforeAll(() => {
    for (const name of ['posts', 'users']) {
      const path = `fixtures/${name}.json`
      original.set(path, shared().read(path))
    }
  })

  // Every test starts with the original files; their reload is awaited by the first expectation.
  beforeEach(() => {
    for (const [path, text] of original) shared().write(path, text)
  })

  it('that is loaded while a fixture is broken shows the last valid data and the error', async () => {
    const { serving, ...app } = shared()
    const first = await openPage(serving.url)
    await expectItems(first.page, firstItems)
    const whole = app.read('fixtures/posts.json')
    app.write('fixtures/posts.json', '[')
    await first.page.locator('vite-error-overlay').waitFor()

    const { page } = await openPage(serving.url)
    await expectItems(page, firstItems)
    const overlay = page.locator('vite-error-overlay')
    await overlay.getByText('fixtures/posts.json:1:').waitFor()
    app.write('fixtures/posts.json', whole)
    await overlay.waitFor({ state: 'detached' })
  })

  it('that is loaded after an edit has the edited fixture', async () => {
    const { serving, ...app } = shared()
    const { page } = await openPage(serving.url)
    await expectItems(page, firstItems)
    app.write('fixtures/posts.json', app.read('fixtures/posts.json').replace('World', 'Edited'))
    await expectItems(page, ['2: Edited by Grace', '1: Hello by Ada'])
    await page.reload()
    await expectItems(page, ['2: Edited by Grace', '1: Hello by Ada'])
  })

  it('keeps the changes made by requests across reloads, also after an edit while it was open', async () => {
    const { serving, ...app } = shared()
    const { page } = await openPage(serving.url)
    await useApp(page)
    await page.reload()
    await expectItems(page, ['3: New by Ada', '1: HELLO by Ada'])
    app.write('fixtures/users.json', app.read('fixtures/users.json').replace('Ada', 'Eve'))
    await expectItems(page, ['3: New by Eve', '1: HELLO by Eve'])
    await page.reload()
    await expectItems(page, ['3: New by Eve', '1: HELLO by Eve'])
  })

  it('warns about a conflict between a fixture and requests', async () => {
    const { serving, ...app } = shared()
    const { page, lines } = await openPage(serving.url)
    await useApp(page)
    app.write('fixtures/posts.json', app.read('fixtures/posts.json').replace('Hello', 'Edited'))
    await expectItems(page, ['3: New by Ada', '1: Edited by Ada'])
    expect(lines).toContain('warning: posts/1: the fixture replaced changes made by requests.')
  })

  it('discards the changes made by requests when the fixtures have changed in between', async () => {
    const { serving, ...app } = shared()
    const { page, lines } = await openPage(serving.url)
    await useApp(page)
    await page.goto('about:blank')
    app.write('fixtures/users.json', app.read('fixtures/users.json').replace('Ada', 'Eve'))
    const other = await openPage(serving.url)
    await expectItems(other.page, ['2: World by Grace', '1: Hello by Eve'])
    await page.goBack()
    await expectItems(page, ['2: World by Grace', '1: Hello by Eve'])
    expect(lines).toContain(
      'info: The fixtures have changed, so the earlier changes made by requests are discarded.',
    )
  })
})

describe('the types of virtual:fixtura', () => {
  it('are written, and the committed types of the example are up to date', async () => {
    const app = createApp()
    const path = 'src/virtual-fixtura.d.ts'
    const committed = app.read(path)
    app.remove(path)
    await app.dev('development', { isWithoutPages: true })
    expect(app.read(path)).toBe(committed)
    app.write('fixtures/tags.json', '[{ "id": "a", "isNew": true }]')
    await expect.poll(() => app.read(path)).toContain('isNew: boolean')
  })

  it('are those of the mock', async () => {
    const app = createApp()
    await app.check()
    const mock = app.read('src/mock.ts')
    app.write('src/mock.ts', `${mock}\nmock.db.posts.insert({ title: 'x', userId: 1 })\n`)
    await app.check()
    app.write('src/mock.ts', `${mock}\nmock.db.posts.insert({ titel: 'x' })\n`)
    await expect(app.check()).rejects.toThrow("'titel' does not exist")
  })
})
