import { describe, expect, it } from 'vitest'

import { createApp } from './app.ts'
import { expectItems, firstItems } from './app-page.ts'
import { openPage } from './page.ts'

/** Texts of the data, of this package and of MSW that a build must not contain. */
const traces = ['World', 'Grace', 'fixtura', 'serviceWorker', 'mockServiceWorker', 'RFC', '[MSW]']

describe('a build', () => {
  it.each(['vite', 'vite7', 'vite6'] as const)(
    'by %s contains nothing of the mock',
    async (vite) => {
      const files = await createApp({ vite }).build()
      const text = JSON.stringify(files)
      expect(
        Object.keys(files)
          .map((name) => name.replace(/-[\w-]+\./, '.'))
          .toSorted(),
      ).toEqual(['assets/index.js', 'index.html'])
      expect(traces.filter((trace) => text.includes(trace))).toEqual([])
      expect(text).toContain('/api/posts')
    },
  )

  it('contains no data where no condition guards the mock', async () => {
    const app = createApp()
    app.write('src/main.ts', unguarded)
    const text = JSON.stringify(await app.build())
    expect(text).not.toContain('World')
    expect(text).toContain('serviceWorker')
  })

  it('contains the data and the worker script with the option production', async () => {
    const app = createApp()
    app.write('src/main.ts', unguarded)
    app.write(
      'vite.config.ts',
      app.read('vite.config.ts').replace('mode:', 'production: true, mode:'),
    )
    const files = await app.build()
    expect(Object.keys(files)).toContain('mockServiceWorker.js')
    const { url } = await app.preview()
    const { page } = await openPage(url)
    await expectItems(page, firstItems)
  })

  it('that contains the data fails for a broken fixture', async () => {
    const app = createApp()
    app.write('src/main.ts', unguarded)
    app.write(
      'vite.config.ts',
      app.read('vite.config.ts').replace('mode:', 'production: true, mode:'),
    )
    app.write('fixtures/posts.json', '[')
    await expect(app.build()).rejects.toThrow('fixtures/posts.json:1:2')
  })
})

describe('a unit test of the app', () => {
  it('has the fixtures from the same module', async () => {
    const app = createApp()
    app.write('src/mock.test.ts', unitTest)
    await app.test()
    app.write('fixtures/posts.json', '[]')
    await expect(app.test()).rejects.toThrow('AssertionError')
  })
})

const unitTest = `
  import { createMock } from 'fixtura'
  import { base, fixtures } from 'virtual:fixtura'
  import { expect, it } from 'vitest'

  it('answers', async () => {
    const mock = createMock({ fixtures, base })
    const response = await mock.fetch(new Request('http://localhost/api/posts/2'))
    expect(await response.json()).toEqual({ id: 2, title: 'World', userId: 2 })
  })
`

const unguarded = `
  import { start } from './mock.ts'
  import { show } from './posts.ts'
  void start().then(show)
`
