// `node dialects.js TASK` measures dialects in this process, by turns, with 10,000 posts of 100 authors: `json-api`
// beside json-api-serializer over the same data in plain maps and arrays, the presets beside `rest`. The answers are
// compared first.

import Serializer from 'json-api-serializer'

import { directus, jsonApi, pocketbase, rest, strapi } from '../../dist/dialects.js'
import { createMock } from '../../dist/index.js'
import { createComparison } from '../lib/sides.js'

const task = JSON.parse(process.argv[2])
const count = 10_000
const authors = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `Author ${at + 1}` }))
const posts = Array.from({ length: count }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1}`,
  views: (at * 7919) % count,
  authorId: (at % 100) + 1,
}))

const toId = (at) => ((at * 31) % count) + 1
const toViews = (at) => (at * 37) % count

/** The paths of a page of 20 posts above a number of views, newest first, and what each answer is compared by. */
const presets = {
  rest: [rest, (views) => `/posts?views:gt=${views}&_sort=-id&_page=1&_limit=20`, (body) => body],
  strapi: [
    strapi,
    (views) => `/api/posts?filters[views][$gt]=${views}&sort=id:desc&pagination[pageSize]=20`,
    (body) => body.data,
  ],
  directus: [
    directus,
    (views) => `/items/posts?filter[views][_gt]=${views}&sort=-id&limit=20`,
    (body) => body.data,
  ],
  pocketbase: [
    pocketbase,
    (views) => `/api/collections/posts/records?filter=views>${views}&sort=-id&perPage=20`,
    (body) => body.items,
  ],
}

const rows = {
  'json-api-record': () => [jsonApiSides(), (at) => ['record', toId(at)]],
  'json-api-page': () => [jsonApiSides(), (at) => ['page', toViews(at)]],
  ...Object.fromEntries(
    ['strapi', 'directus', 'pocketbase'].map((name) => [
      `${name}-page`,
      () => [[presetSide(name), presetSide('rest')], (at) => [toViews(at)]],
    ]),
  ),
}

const [sides, toRequest] = rows[task.row]()
const [ours, ...others] = sides
const measured = await createComparison([ours, ...(task.alone ? [] : others)], task)(toRequest)
console.log(`\n${JSON.stringify(measured)}`)

function presetSide(name) {
  const [dialect, toPath, listOf] = presets[name]
  const mock = createMock({ fixtures: { posts, authors }, dialect })
  return {
    name: name === 'rest' ? 'rest' : 'fixtura',
    async send(views) {
      const body = JSON.parse(await textOf(mock, toPath(views)))
      return listOf(body).map(({ id, title, views }) => [id, title, views])
    },
  }
}

function jsonApiSides() {
  const mock = createMock({ fixtures: { posts, authors }, dialect: jsonApi })
  const paths = {
    record: (id) => `/posts/${id}?include=author`,
    page: (views) => `/posts?filter[views][gt]=${views}&sort=-id&page[size]=20&include=author`,
  }
  const serializer = createSerializer()
  const byId = new Map(posts.map((post) => [post.id, post]))
  const authorOf = new Map(authors.map((author) => [author.id, author]))
  const withAuthor = (post) => ({ ...post, author: authorOf.get(post.authorId) })
  const answers = {
    record: (id) => serializer.serialize('posts', withAuthor(byId.get(id))),
    page(views) {
      const found = posts.filter((post) => post.views > views).sort((a, b) => b.id - a.id)
      const total = found.length
      return serializer.serialize('posts', found.slice(0, 20).map(withAuthor), 'default', { total })
    },
  }
  return [
    {
      name: 'fixtura',
      send: async (kind, value) => compared(await textOf(mock, paths[kind](value))),
    },
    {
      name: 'json-api-serializer',
      async send(kind, value) {
        // A handler of `fetch` that parses the URL alone.
        const { url } = new Request(`http://localhost${paths[kind](value)}`)
        new URL(url).searchParams.get('include')
        const body = JSON.stringify(answers[kind](value))
        const headers = { 'content-type': 'application/vnd.api+json' }
        return compared(await new Response(body, { headers }).text())
      },
    },
  ]
}

function createSerializer() {
  const serializer = new Serializer()
  serializer.register('posts', {
    blacklist: ['authorId'],
    relationships: { author: { type: 'authors' } },
    topLevelMeta: ({ total }) => ({ total }),
  })
  serializer.register('authors', {})
  return serializer
}

/** The resources of a document, without links. */
function compared(text) {
  const { data, included = [], meta } = JSON.parse(text)
  const toPlain = ({ type, id, attributes, relationships }) => [
    type,
    id,
    attributes,
    relationships?.author?.data,
  ]
  const total = Array.isArray(data) ? meta?.total : undefined
  const sorted = included.map(toPlain).sort(([, one], [, other]) => one - other)
  return { data: [data].flat().map(toPlain), included: sorted, total }
}

async function textOf(mock, path) {
  const response = await mock.fetch(new Request(`http://localhost${path}`))
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}
