// Measures the studio with 100,000 records in headless Chromium: npm run build && node bench/studio.js
import { chromium } from 'playwright-core'

import { createMock } from '../dist/index.js'
import { serve } from '../dist/node.js'

const posts = Array.from({ length: 100_000 }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1} about ${['coffee', 'tea', 'water'][at % 3]}`,
  userId: (at % 50) + 1,
  views: (at * 7919) % 100_003,
  status: ['draft', 'published', 'archived'][at % 3],
  createdAt: new Date(1.7e12 + at * 1e6).toISOString(),
  author: { name: `Author ${at % 100}` },
}))
const serving = await serve(createMock({ fixtures: { posts } }), { port: 0 })
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
// Notes the time of the first frame with a record, in milliseconds since the start of the navigation.
await page.addInitScript(() => {
  const check = () => {
    if (document.querySelector('.rows .cell a')) globalThis.opened = performance.now()
    else requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
})
const home = `http://localhost:${serving.port}/`

/** The milliseconds, in the page, from an action until a frame in which the first or last row has the text. */
async function measure(run, text) {
  return page.evaluate(
    ([action, expected]) =>
      new Promise((resolve) => {
        const start = performance.now()
        const isShown = () =>
          [...document.querySelectorAll('.rows .cell')].some((one) => one.textContent === expected)
        const check = () =>
          requestAnimationFrame(() =>
            isShown() ? resolve(Math.round(performance.now() - start)) : check(),
          )
        const [kind, name] = action
        const grid = document.querySelector('.grid')
        if (kind === 'sort') document.querySelector(`[title="Sort by ${name}"]`).click()
        if (kind === 'key') {
          const init = { key: name, ctrlKey: true, bubbles: true }
          grid.dispatchEvent(new KeyboardEvent('keydown', init))
        }
        if (kind === 'place') {
          history.pushState(null, '', name)
          dispatchEvent(new PopStateEvent('popstate'))
        }
        check()
      }),
    [run, text],
  )
}

/** How many of 120 frames come later than two frames of 60 Hz after the last, while the grid scrolls. */
async function countLateFrames() {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const grid = document.querySelector('.grid')
        let last = performance.now()
        let late = 0
        let frames = 0
        const step = (now) => {
          if (now - last > 34) late++
          last = now
          grid.scrollTop += 200
          if (++frames < 120) requestAnimationFrame(step)
          else resolve(late)
        }
        requestAnimationFrame(step)
      }),
  )
}

// The first page of a browser pays for the start of the browser.
await page.goto(`${home}posts/1`)

const byViews = posts.toSorted((one, other) => one.views - other.views)
const rows = []
for (let run = 0; run < 3; run++) {
  await page.goto('about:blank')
  await page.goto(`${home}#/data/posts`)
  // A locator would search the document again and again, in the thread that opens the page.
  const opened = await page.waitForFunction(() => globalThis.opened)
  const open = Math.round(await opened.jsonValue())
  await page.getByRole('columnheader', { name: 'author' }).waitFor()
  const filter = `#/data/posts?filter=${encodeURIComponent(`[["views","gte","${100_000 - run}"]]`)}`
  rows.push({
    open,
    'jump to last': await measure(['key', 'End'], posts.at(-1).title),
    'jump to first': await measure(['key', 'Home'], posts[0].title),
    'late frames of 120': await countLateFrames(),
    sort: await measure(['sort', 'views'], byViews[0].title),
    'sort, descending': await measure(['sort', 'views'], byViews.at(-1).title),
    filter: await measure(['place', filter], byViews.at(-1).title),
    search: await measure(['place', `#/data/posts?q=Post 9999${run}`], posts[99_989 + run].title),
  })
}
// The first run includes the indexes that the mock builds for a field.
console.table(rows)
await browser.close()
await serving.close()
