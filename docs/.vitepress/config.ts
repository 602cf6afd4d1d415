import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { defineConfig } from 'vitepress'

import { writeReference } from './reference.ts'
import { sidebar } from './sidebar.ts'
import { toSlug } from './slug.ts'
import { writeTwins } from './twins.ts'

const root = join(import.meta.dirname, '../..')
const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')

const fromCode = await writeReference()

export default defineConfig({
  title: 'Fixtura',
  description: 'Your API, before it exists: JSON files as a REST API for development and tests.',
  lang: 'en',
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#4a3fd4' }],
  ],
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      {
        text: 'Guides',
        link: '/start/quick-start',
        activeMatch: '/(start|set-up|guides|speak|stay-true)/',
      },
      { text: 'Reference', link: '/reference/requests', activeMatch: '/reference/' },
      { text: 'How it works', link: '/how-it-works' },
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: [
      ...sidebar.map((section) =>
        'items' in section ? { ...section, collapsed: false } : section,
      ),
      { text: 'From the code', collapsed: true, items: fromCode },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
  markdown: {
    anchor: { slugify: toSlug },
    // The braces of a template are text, and no expression of Vue.
    config({ renderer: { rules } }) {
      for (const name of ['text', 'code_inline'] as const) {
        const render = rules[name]
        rules[name] = (...args) => render?.(...args).replaceAll('{{', '&#123;&#123;') ?? ''
      }
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  transformHead: ({ page }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `/${page}` }],
  ],
  transformHtml: addPolicy,
  buildEnd: (site) => writeTwins(site, fromCode),
  vite: {
    // The studio, which the playground opens.
    build: { chunkSizeWarningLimit: 1000 },
    resolve: {
      alias: [
        { find: /^fixtura$/, replacement: join(root, 'dist/index.js') },
        { find: /^fixtura\/(\w+)$/, replacement: join(root, 'dist/$1.js') },
        // The example on the home page imports `vitest`: there, a page runs it.
        { find: 'vitest', replacement: join(import.meta.dirname, 'theme/live/tests.ts') },
      ],
    },
    plugins: [
      {
        name: 'worker-script',
        configureServer({ middlewares }) {
          middlewares.use('/mockServiceWorker.js', (_, response) =>
            response.setHeader('Content-Type', 'text/javascript').end(readFileSync(worker)),
          )
        },
        generateBundle() {
          const source = readFileSync(worker)
          this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source })
        },
      },
    ],
  },
})

/** Adds a Content Security Policy, which allows files of the site and the inline scripts of VitePress by their hashes. */
function addPolicy(html: string): string {
  const hashes = Array.from(
    html.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g),
    ([, code = '']) => {
      const hash = createHash('sha256').update(code).digest('base64')
      return `'sha256-${hash}'`
    },
  )
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    // The colours of code are style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const charset = '<meta charset="utf-8">'
  return html.replace(
    charset,
    `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
}
