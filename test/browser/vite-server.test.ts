import { type IncomingHttpHeaders, request } from 'node:http'
import { describe, expect, it } from 'vitest'

import { createApp, type Installed, shareApp } from './app.ts'
import { expectAnswer, expectItems, markPage, useApp } from './app-page.ts'
import { openPage } from './page.ts'

const installed: [title: string, installed: Installed][] = [
  ['Vite 8', { vite: 'vite' }],
  ['Vite 7', { vite: 'vite7' }],
  ['Vite 6', { vite: 'vite6' }],
]

describe.each(installed)('the dev server of %s in server mode', (_, versions) => {
  it('lists, creates, edits, deletes and follows the fixtures, without a worker', async () => {
    const app = createApp(versions)
    const { url, output } = await app.dev('server')
    const { page } = await openPage(url)
    const isSame = await markPage(page)
    await useApp(page)
    expect(await page.evaluate(async () => navigator.serviceWorker.getRegistrations())).toEqual([])

    app.write(
      'fixtures/posts.json',
      app.read('fixtures/posts.json').replace('userId": 1', 'userId": 2'),
    )
    await expectItems(page, ['3: New by Ada', '1: Hello by Grace'])
    expect(output).toContain('posts/1: the fixture replaced changes made by requests.')

    const whole = app.read('fixtures/posts.json')
    app.write('fixtures/posts.json', '[')
    const overlay = page.locator('vite-error-overlay')
    await overlay.getByText('fixtures/posts.json:1:').waitFor()
    expect(output.join('\n')).toContain('fixtures/posts.json:1:')
    await expectAnswer(page, '/api/posts/3', { id: 3, title: 'New', userId: 1 })
    app.write('fixtures/posts.json', whole)
    await overlay.waitFor({ state: 'detached' })

    app.write('fixtures/tags.json', '[{ "id": "a" }]')
    await expectAnswer(page, '/api/tags', [{ id: 'a' }])
    app.remove('fixtures/tags.json')
    await expectAnswer(page, '/api/tags', 404)
    expect(await isSame()).toBe(true)
  })

  it('answers from the preview server too', async () => {
    const app = createApp(versions)
    await app.build('server')
    const { url } = await app.preview('server')
    const { page } = await openPage(url)
    await useApp(page)
  })
})

describe('a server of Vite in server mode', () => {
  const shared = shareApp({ mode: 'server', isWithoutPages: true })

  it('has the page of the mock, whose URL it prints, and saves changes to the files', async () => {
    const app = shared()
    const { url, output } = app.serving
    const home = `${url}__mock/home`
    expect(output.join('\n')).toContain(`Fixtura: ${home}`)
    const { page } = await openPage(`${home}#/data/posts`)
    await page.getByRole('grid', { name: 'Records of posts' }).waitFor()
    const before = app.read('fixtures/posts.json')
    await page.request.patch(`${url}api/posts/1`, { data: { title: 'To be saved' } })
    await page.getByRole('gridcell', { name: 'To be saved' }).waitFor()
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.getByRole('button', { name: 'Save all to fixtures' }).click()
    await page.getByText('The data is as the fixtures define it.').waitFor()
    expect(app.read('fixtures/posts.json')).toContain('To be saved')
    app.write('fixtures/posts.json', before)
    await page.getByRole('link', { name: /^posts/ }).click()
    await page.getByRole('gridcell', { name: 'Hello', exact: true }).waitFor()
  })

  it('answers OPTIONS and preflights by itself', async () => {
    const { url } = shared().serving
    const options = await ask(`${url}api/posts`, {}, 'OPTIONS')
    expect(options.headers.allow).toBe('GET, HEAD, QUERY, POST, OPTIONS')
    const preflight = { origin: 'http://localhost:1', 'access-control-request-method': 'PUT' }
    const { headers } = await ask(`${url}api/posts/1`, preflight, 'OPTIONS')
    expect(headers['access-control-allow-credentials']).toBe('true')
    const page = await ask(url, {}, 'OPTIONS')
    expect(page.headers.allow).toBeUndefined()
  })

  it('sends headers that Vite also sends only once', async () => {
    const { url } = shared().serving
    const { raw } = await ask(`${url}api/posts`, { origin: 'http://localhost:1' })
    const names = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    expect(names.filter((name) => name === 'access-control-allow-origin')).toHaveLength(1)
    expect(names.filter((name) => name === 'vary')).toHaveLength(1)
  })

  it('leaves unknown hosts to Vite', async () => {
    const { url } = shared().serving
    const { status } = await ask(`${url}api/posts`, { host: 'evil.test' })
    expect(status).toBe(403)
  })

  it('can be controlled below /__mock, but not by pages of other origins', async () => {
    const { url } = shared().serving
    const body = JSON.stringify({ title: 'New' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}api/posts`, { method: 'POST', headers, body })
    const foreign = { origin: 'http://localhost:1' }
    expect(await ask(`${url}__mock/reset`, foreign, 'POST')).toMatchObject({ status: 403 })
    expect(await ask(`${url}api/posts/3`, {})).toMatchObject({ status: 200 })
    expect(await ask(`${url}__mock/reset`, {}, 'POST')).toMatchObject({ status: 200 })
    expect(await ask(`${url}api/posts/3`, {})).toMatchObject({ status: 404 })
  })

  it('refuses requests without a preflight from pages of other origins', async () => {
    const { url } = shared().serving
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const foreign = await ask(`${url}api/posts`, { ...type, origin: 'http://evil.test' }, 'POST')
    expect(foreign.status).toBe(403)
  })

  it('requires a token for /__mock where other machines can reach it', async () => {
    const options = { isWithoutPages: true, host: '0.0.0.0' }
    const { url, output } = await createApp().dev('server', options)
    expect(await ask(`${url}__mock/state`, {})).toMatchObject({ status: 401 })
    const token = /token (\w+)/.exec(output.join('\n'))?.[1]
    const headers = { authorization: `Bearer ${token}` }
    expect(await ask(`${url}__mock/state`, headers)).toMatchObject({ status: 200 })
  })

  it('without a base leaves pages, modules and images to Vite', async () => {
    const app = createApp()
    app.write('vite.config.ts', app.read('vite.config.ts').replace("base: '/api', ", ''))
    const { url } = await app.dev('server', { isWithoutPages: true })
    const answered: string[] = []
    for (const destination of ['none', 'empty', 'document', 'script', 'image']) {
      const headers = destination === 'none' ? {} : { 'sec-fetch-dest': destination }
      const answer = await ask(`${url}posts`, { accept: '*/*', ...headers })
      if (answer.headers['x-total-count'] === '2') answered.push(destination)
    }
    expect(answered).toEqual(['none', 'empty'])
  })
})

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  raw: string[]
}

/** Sends a request with `node:http`, because `fetch` forbids these headers. */
function ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      const { statusCode: status, headers, rawHeaders: raw } = response
      response.once('end', () => resolve({ status, headers, raw }))
    })
    sent.once('error', reject)
    sent.end()
  })
}
