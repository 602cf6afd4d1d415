// Reads and writes articles with the JSON:API cache of Ember Data (WarpDrive), and prints the outcome as JSON. Needs
// `--conditions=unpkg`, the builds that run without Ember.
import { recordIdentifierFor, useRecommendedStore } from '@warp-drive/core'
import { setupSignals } from '@warp-drive/core/configure'
import { checkout, withDefaults } from '@warp-drive/core/reactive'
import { JSONAPICache } from '@warp-drive/json-api'

const [, , origin] = process.argv

// No page is rendered again after a change.
setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal() {},
  notifySignal() {},
  createMemo: (object, key, compute) => compute,
  willSyncFlushWatchers: () => false,
  waitFor: (promise) => promise,
}))

const options = { async: false, inverse: null, linksMode: true }
const Store = useRecommendedStore({
  cache: JSONAPICache,
  schemas: [
    withDefaults({
      type: 'articles',
      fields: [
        { name: 'title', kind: 'field' },
        { name: 'author', kind: 'belongsTo', type: 'authors', options },
        { name: 'comments', kind: 'hasMany', type: 'comments', options },
      ],
    }),
    withDefaults({ type: 'authors', fields: [{ name: 'name', kind: 'field' }] }),
    withDefaults({ type: 'comments', fields: [{ name: 'body', kind: 'field' }] }),
  ],
})
const store = new Store()
const type = 'application/vnd.api+json'
const headers = new Headers({ Accept: type, 'Content-Type': type })
const send = async (op, path, more = {}) =>
  (await store.request({ url: `${origin}${path}`, op, headers, ...more })).content

const { data: article } = await send('findRecord', '/articles/1?include=author,comments')
const read = [
  article.id,
  article.title,
  article.author.name,
  ...article.comments.map(({ body }) => body),
]
const page = await send('query', '/articles?page[size]=1&sort=-title')
const listed = [page.data.length, page.data[0].title, page.meta.total]
const editable = await checkout(article)
editable.title = 'Changed'
const body = JSON.stringify({
  data: { type: 'articles', id: '1', attributes: { title: editable.title } },
})
const record = recordIdentifierFor(article)
await send('updateRecord', '/articles/1', { method: 'PATCH', data: { record }, body })
const missing = await send('findRecord', '/articles/99').catch(({ content, status }) => [
  status,
  content.errors[0].title,
])
console.log(JSON.stringify({ read, listed, updated: article.title, missing }))
