import { describe, expect, it } from 'vitest'

import * as factories from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'

const {
  auth,
  delay,
  events,
  faults,
  fields,
  files,
  idempotency,
  limit,
  oidc,
  proxy,
  rewrite,
  routes,
  scenarios,
  schema,
  sessions,
  states,
  versions,
  webhooks,
} = factories as unknown as Record<string, (...options: unknown[]) => factories.Behaviour>

const fixtures = {
  posts: [{ id: 1, title: 'One' }],
  users: [{ id: 1, email: 'ada@x.org', password: 'ada' }],
  orders: [{ id: 1, status: 'placed' }],
}
const transitions = { placed: ['paid'] }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const url = 'http://hooks.test'
const time = 'Please give milliseconds, or a text such as "200ms", "2s", "1m"'
const header = 'Please give the name of a header, such as X-Request-Id.'
const seconds = 'Please give milliseconds from 1000 on, or a text such as "2s", "1m"'
const span = 'Please give milliseconds above 0, or a text such as "200ms", "2s", "1m"'

/** Wrong options by factory: what is wrong, and what is said about it. */
const tables: Record<
  string,
  [factory: typeof auth, rows: [options: unknown[], message: string][]]
> = {
  auth: [
    auth,
    [
      [
        [{ protect: ['POST *', 'order'] }],
        'the options of "auth": "order" names no resource. Did you mean "orders"? Please write "/order" for a path.',
      ],
      [
        [{ by: ['emial', 'login'] }],
        'no record of "users" has a field "emial" or "login". Please add one, or name another with "by".',
      ],
      [[{ secret: '' }], '"secret" cannot be "". Please give a text that is not empty.'],
      [[{ public: ['GET postz/:id'] }], '"GET postz/:id" names no resource. Did you mean "posts"?'],
      [[{ roles: { 'DELETE postz': 'admin' } }], '"DELETE postz" names no resource.'],
      [
        [{ shceme: 'bearer' }],
        'the options of "auth": there is no "shceme". Did you mean "scheme"?',
      ],
      [[{ scheme: 'baerer' }], '"scheme" cannot be "baerer". Please give one of bearer, apiKey'],
      [[{ scheme: [] }], '"scheme" cannot be []. Please give one of bearer'],
      [[{ users: 'user' }], 'there is no resource "user". Did you mean "users"?'],
      [[{ protect: 'POST *' }], '"protect" cannot be "POST *". Please give a list of'],
      [
        [{ public: ['GTE *'] }],
        'the pattern "GTE *": there is no method "GTE". Did you mean "GET"?',
      ],
      [[{ roles: { 'DELETE *': 3 } }], '"roles" cannot be {"DELETE *":3}. Please give an object'],
      [[{ roles: { 'DELET *': 'a' } }], 'there is no method "DELET". Did you mean "DELETE"?'],
      [[{ owners: { order: 'userId' } }], 'no resource "order". Did you mean "orders"?'],
      [
        [{ owners: { orders: { ky: 'a' } } }],
        'owners of "orders": there is no "ky". Did you mean "key"?',
      ],
      [[{ expires: 'soon' }], `the options of "auth": "expires" cannot be "soon". ${seconds}`],
      [[{ refreshExpires: 1e16 }], '"refreshExpires" cannot be 10000000000000000.'],
      [
        [{ cookie: 's\r\n' }],
        '"cookie" cannot be "s\\r\\n". Please give the name of a cookie, such as sid.',
      ],
      [[{ cookie: 'sé' }], '"cookie" cannot be "sé".'],
      [[{ key: { header: 'X Key' } }], '"header" cannot be "X Key". Please give the name of a'],
      [[{ key: { query: '' } }], '"query" cannot be "".'],
      [[{ paths: { lgin: '/x' } }], '"paths": there is no "lgin". Did you mean "login"?'],
      [[{ key: { hedder: 'x' } }], '"key": there is no "hedder". Did you mean "header"?'],
      [['bearer'], 'it cannot be "bearer". Please give an object.'],
      [[{ key: { header: 'X API Key' } }], `"header" cannot be "X API Key". ${header}`],
      [[{ key: { query: '' } }], '"query" cannot be "".'],
      [[{ key: { field: '' } }], '"field" cannot be "".'],
      [[{ by: [] }], '"by" cannot be [].'],
      [[{ password: '' }], '"password" cannot be "".'],
      [
        [{ expires: '500ms' }],
        '"expires" cannot be "500ms". Please give milliseconds from 1000 on',
      ],
      [[{ expires: 1e300 }], 'or a text such as "2s", "1m", of at most 36500d.'],
      [[{ refreshExpires: 0 }], `"refreshExpires" cannot be 0. ${span}`],
      [[{ known: { 'a b': 1 } }], '"known" cannot be {"a b":1}. Please give an object of tokens'],
      [[{ paths: { login: '' } }], '"login" cannot be "". Please give a path such as /login'],
      [[{ paths: { me: '/me?full=1' } }], '"me" cannot be "/me?full=1".'],
      [[{ paths: { me: '/über' } }], '"me" cannot be "/über".'],
      [
        [{ protect: ['GET /posts orders'] }],
        '"GET /posts orders". Please give a method and a path',
      ],
      [[{ protect: ['/posts GET'] }], 'the method of a pattern: it cannot be "/POSTS".'],
    ],
  ],
  delay: [
    delay,
    [
      [[5, { only: ['POST post'] }], '"POST post" names no resource. Did you mean "posts"?'],
      [['soon'], 'Failed to read the options of "delay": it cannot be "soon". Please give'],
      [[-1], 'it cannot be -1. Please give milliseconds, a range such as "200-800"'],
      [[undefined], 'it cannot be undefined.'],
      [[null], 'it cannot be null.'],
      [[{ mn: 1, max: 2 }], 'there is no "mn". Did you mean "min"?'],
      [[{ min: 1 }], '"max" is missing. Please give'],
      [[{ min: 'x', max: 2 }], `"min" cannot be "x". ${time}`],
      [['800-200'], 'it cannot be "800-200".'],
      [[{ min: 2, max: 1 }], 'it cannot be {"min":2,"max":1}.'],
      [[{ median: 1, sigma: 'x' }], '"sigma" cannot be "x". Please give a number of at least 0.'],
      [[100, { onyl: [] }], 'there is no "onyl". Did you mean "only"?'],
      [[100, { only: 'posts' }], '"only" cannot be "posts". Please give a list of'],
      [['40000d'], 'it cannot be "40000d".'],
      [
        [5, { only: ['/admin/**'] }],
        'it cannot be "/admin/**". Please give * for a whole segment, or at the end for the rest, as in "/posts/*".',
      ],
      [
        [5, { only: ['GET /posts/{id}'] }],
        'it cannot be "/posts/{id}". Please give :name for a parameter, as in "/posts/:id".',
      ],
      [
        [5, { only: ['https://api.test/posts?a=1'] }],
        'it cannot be "https://api.test/posts?a=1". Please give "/posts", which matches requests to every host.',
      ],
    ],
  ],
  events: [
    events,
    [
      [
        [{ collection: [] }],
        'the options of "events": there is no "collection". Did you mean "collections"?',
      ],
      [[{ collections: ['pots'] }], 'there is no resource "pots". Did you mean "posts"?'],
      [[{ heartbeat: 'x' }], `"heartbeat" cannot be "x". ${span}`],
      [[{ heartbeat: 0 }], `"heartbeat" cannot be 0. ${span}`],
      [[{ replay: -1 }], '"replay" cannot be -1. Please give a whole number above 0.'],
      [[null], 'it cannot be null. Please give an object.'],
      [[{ retry: 1e300 }], `"retry" cannot be 1e+300. ${time}`],
    ],
  ],
  faults: [
    faults,
    [
      [[{ rule: [] }], 'the options of "faults": there is no "rule". Did you mean "rules"?'],
      [[{ profile: 'slow3g' }], '"profile" cannot be "slow3g". Please give one of slow-3g'],
      [[{ rules: [{ statu: 500 }] }], 'there is no "statu". Did you mean "status"?'],
      [
        [{ rules: [{ status: '500' }] }],
        '"status" cannot be "500". Please give a status from 400 to 599.',
      ],
      [[{ rules: [{ status: 200 }] }], '"status" cannot be 200.'],
      [
        [{ rules: [{ status: 500, headers: { 'Retry After': '1' } }] }],
        'a fault: the header "Retry After" cannot be sent. Please give a name without spaces',
      ],
      [[{ rules: [{ status: 500, headers: { a: '1\n2' } }] }], 'the header "a" cannot be sent.'],
      [
        [{ rules: [{ headers: { 'content-length': '1' } }] }],
        'a fault: the header "content-length" belongs to the body that is sent. Please give "truncate"',
      ],
      [[{ rules: [{ status: 500.5 }] }], '"status" cannot be 500.5.'],
      [[{ rules: [{ probability: '0.5', drop: true }] }], '"probability" cannot be "0.5".'],
      [
        [{ rules: [{ probability: 2, drop: true }] }],
        '"probability" cannot be 2. Please give a number from 0 to 1.',
      ],
      [[{ rules: [{ truncate: '0' }] }], '"truncate" cannot be "0".'],
      [
        [{ rules: [{ on: 'PSOT posts', drop: true }] }],
        'there is no method "PSOT". Did you mean "POST"?',
      ],
      [
        [{ rules: [{ on: '/posts?id=1', drop: true }] }],
        'the path of a pattern: it cannot be "/posts?id=1". Please give one without a query.',
      ],
      [[{ rules: [{ delay: 'x' }] }], '"delay" cannot be "x".'],
      [
        [{ rules: [{ on: 'POST order', status: 500 }] }],
        'the options of "faults": "POST order" names no resource. Did you mean "orders"?',
      ],
      [
        [{ rules: [{ on: 'posts' }] }],
        'it does nothing. Please give "status", "drop", "delay", "truncate" or "bytesPerSecond".',
      ],
    ],
  ],
  fields: [
    fields,
    [
      [[{ pots: {} }], 'there is no resource "pots". Did you mean "posts"?'],
      [
        [{ posts: { requierd: [] } }],
        'for "posts": there is no "requierd". Did you mean "required"?',
      ],
      [
        [{ posts: { required: 'title' } }],
        '"required" cannot be "title". Please give a list of (a text that is not empty).',
      ],
      [
        [{ posts: { timestamps: { createdA: 'x' } } }],
        'there is no "createdA". Did you mean "createdAt"?',
      ],
      [[{ posts: { timestamps: 'yes' } }], 'it cannot be "yes".'],
      [[undefined], 'it cannot be undefined. Please give an object.'],
      [[{ posts: { required: [''] } }], '"required" cannot be [""].'],
      [[{ posts: { timestamps: { createdAt: '' } } }], '"createdAt" cannot be "".'],
    ],
  ],
  files: [
    files,
    [
      [[{ pots: { image: true } }], 'there is no resource "pots". Did you mean "posts"?'],
      [
        [{ posts: { image: { typs: [] } } }],
        'for "posts.image": there is no "typs". Did you mean "types"?',
      ],
      [
        [{ posts: { image: { types: ['png'] } } }],
        '"types" cannot be ["png"]. Please give a list of (a media type such as "image/*", or an extension such as ".pdf").',
      ],
      [[{ posts: { image: { maxSize: 'big' } } }], '"maxSize" cannot be "big".'],
      [[{ posts: ['image'] }], 'Please write { image: true }.'],
      [[{ uploads: { expires: 'soon' } }], '"expires" cannot be "soon".'],
    ],
  ],
  idempotency: [
    idempotency,
    [
      [[{ on: ['POST order'] }], '"POST order" names no resource. Did you mean "orders"?'],
      [[{ requierd: true }], 'there is no "requierd". Did you mean "required"?'],
      [[{ ttl: 'x' }], `"ttl" cannot be "x". ${span}`],
      [[{ on: 'POST *' }], '"on" cannot be "POST *". Please give a list of'],
      [[{ on: ['PSOT *'] }], 'there is no method "PSOT". Did you mean "POST"?'],
      [[{ limit: 0 }], '"limit" cannot be 0.'],
      [[{ header: 'Idempotency Key' }], `"header" cannot be "Idempotency Key". ${header}`],
      [[{ ttl: 0 }], `"ttl" cannot be 0. ${span}`],
    ],
  ],
  limit: [
    limit,
    [
      [[{ page: 5, only: ['post'] }], 'the options of "limit": "post" names no resource.'],
      [
        [{ request: 1, per: 1 }],
        'the options of "limit": there is no "request". Did you mean "requests"?',
      ],
      [[{ requests: '1', per: 1 }], '"requests" cannot be "1".'],
      [[{ requests: 1, per: 'x' }], `"per" cannot be "x". ${span}`],
      [[{ requests: 1, per: '0s' }], `"per" cannot be "0s". ${span}`],
      [[{ page: { max: '5' } }], '"max" cannot be "5".'],
      [[{ timeout: { after: 'x' } }], `"after" cannot be "x". ${time}`],
      [[undefined], 'it cannot be undefined.'],
    ],
  ],
  oidc: [
    oidc,
    [
      [[{ client: [] }], 'there is no "client". Did you mean "clients"?'],
      [[{ users: 'usres' }], 'there is no resource "usres".'],
      [[{ preset: 'auth1' }], '"preset" cannot be "auth1".'],
      [[{ preset: 'okta', issuer: '/x' }], 'the preset "okta" has its own path.'],
      [[{ issuer: 'ftp://x y' }], '"issuer" cannot be "ftp://x y".'],
      [[{ clients: [{ id: 'x' }] }], 'the options of "oidc", a client: there is no "id".'],
      [
        [{ clients: [{ client_id: 'x', redirect_uris: ['javascript:alert(1)'] }] }],
        '"javascript:alert(1)" is no redirect address.',
      ],
      [[{ expires: '1ms' }], '"expires" cannot be "1ms".'],
    ],
  ],
  proxy: [
    proxy,
    [
      [[{}], '"to" is missing. Please give the URL of a server'],
      [[{ to: 'api' }], '"to" cannot be "api". Please give the URL of a server'],
      [[{ to: url, when: 'allways' }], '"when" cannot be "allways".'],
      [[{ to: url, timeout: 'x' }], `"timeout" cannot be "x". ${time}`],
      [[{ to: url, onyl: [] }], 'there is no "onyl". Did you mean "only"?'],
      [[{ to: url, headers: { 'a b': 'x' } }], '"a b" is not a header that can be sent.'],
      [[undefined], 'it cannot be undefined. Please give an object.'],
    ],
  ],
  rewrite: [
    rewrite,
    [
      [
        [['/a']],
        'it cannot be ["/a"]. Please give an object whose values are each (a text that is not empty).',
      ],
      [[{ '/a': '' }], 'it cannot be {"/a":""}.'],
      [
        [{ '/:id/show': '/posts/:ids' }],
        '"/posts/:ids" has the parameter ":ids", which "/:id/show" has not. Did you mean "id"?',
      ],
      [[{ '/:id([)': '/posts/:id' }], '"/:id([)" is not a pattern: '],
      [
        [{ '/*/*/*': '/$1' }],
        '"/*/*/*" has more than 2 parameters such as *. Please write :name for a single segment.',
      ],
      [[{ '/:a:b:c:d': '/:a' }], '"/:a:b:c:d" has more than 2 parameters such as *.'],
      [[{ '/:a+/:b*/(.*)': '/:a' }], '"/:a+/:b*/(.*)" has more than 2 parameters such as *.'],
    ],
  ],
  routes: [
    routes,
    [
      [
        [{ 'GET hello': () => 1 }],
        '"GET hello" has no path. Please write a method and a path, as in "GET /hello".',
      ],
      [[{ 'GTE /hello': () => 1 }], 'there is no method "GTE". Did you mean "GET"?'],
      [[{ 'GET /x?a=1': () => 1 }], 'it cannot be "/x?a=1". Please give one without a query.'],
      [[{ 'GET /x': 3 }], 'the route "GET /x": "answer" cannot be 3. Please give a function.'],
      [[[{ on: 'GET /x', anser: () => 1 }]], 'there is no "anser". Did you mean "answer"?'],
      [[[{ on: 'GET /x', answer: () => 1, place: 'behind' }]], '"place" cannot be "behind".'],
      [[undefined], 'it cannot be undefined. Please give an object.'],
      [[7], 'it cannot be 7. Please give an object.'],
    ],
  ],
  scenarios: [
    scenarios,
    [
      [[{ set: {} }], 'the options of "scenarios": there is no "set". Did you mean "sets"?'],
      [
        [{ sets: { a: { fixture: {} } } }],
        'the scenario "a": there is no "fixture". Did you mean "fixtures"?',
      ],
      [[{ sets: { a: 3 } }], '"sets" cannot be {"a":3}.'],
      [[{ sets: { a: {} }, active: 'down' }], '"active" cannot be "down". Known: a.'],
      [
        [{ sets: { a: { faults: [{ statu: 1 }] } } }],
        'there is no "statu". Did you mean "status"?',
      ],
      [[{ sets: { a: {} }, header: '' }], `"header" cannot be "". ${header}`],
    ],
  ],
  schema: [
    schema,
    [
      [[{ pots: {} }], 'there is no resource "pots". Did you mean "posts"?'],
      [[{ posts: 3 }], 'the schema of "posts": it is no object. Please give a JSON Schema.'],
      [
        [{ posts: { type: 'objct' } }],
        'the schema of "posts": there is no type "objct". Did you mean "object"?',
      ],
      [
        [{ posts: { properties: { a: { type: ['string', 'nul'] } } } }],
        'there is no type "nul". Did you mean "null"?',
      ],
      [[{ posts: { $ref: 'nope' } }], 'the $ref "nope" leads nowhere.'],
      [
        [{ posts: { '~standard': { version: 1 } } }],
        'the "~standard" of the validator of "posts": "validate" is missing. Please give a function.',
      ],
      [
        [{ posts: { '~standard': { validate: {} } } }],
        '"validate" cannot be {}. Please give a function.',
      ],
      [[{ posts: { '~standard': null } }], '"~standard" cannot be null. Please give an object.'],
    ],
  ],
  sessions: [
    sessions,
    [
      [[{ ttll: 1 }], 'the options of "sessions": there is no "ttll". Did you mean "ttl"?'],
      [[{ ttl: 'x' }], `"ttl" cannot be "x". ${span}`],
      [[{ limit: 0 }], '"limit" cannot be 0.'],
      [[{ required: 'yes' }], '"required" cannot be "yes". Please give true or false.'],
      [[{ header: 'X Session' }], `"header" cannot be "X Session". ${header}`],
      [
        [{ cookie: 'a;b' }],
        '"cookie" cannot be "a;b". Please give the name of a cookie, such as sid.',
      ],
      [[{ ttl: '0s' }], `"ttl" cannot be "0s". ${span}`],
    ],
  ],
  states: [
    states,
    [
      [[{ order: {} }], 'there is no resource "order". Did you mean "orders"?'],
      [[{ orders: { transition: {} } }], 'there is no "transition". Did you mean "transitions"?'],
      [
        [{ orders: { transitions: { placed: 'paid' } } }],
        '"transitions" cannot be {"placed":"paid"}.',
      ],
      [
        [{ orders: { transitions, initial: 'plcaed' } }],
        'the state "plcaed". Did you mean "placed"?',
      ],
      [
        [{ orders: { transitions, actions: { pay: {} } } }],
        'action "pay": "to" is missing. Please give a text, a number, or true or false.',
      ],
      [
        [{ orders: { transitions, actions: { pay: { too: 'paid' } } } }],
        'there is no "too". Did you mean "to"?',
      ],
      [
        [{ orders: { transitions, actions: { pay: { to: 'paid', takes: 'x' } } } }],
        `action "pay": "takes" cannot be "x". ${time}`,
      ],
      [
        [{ orders: { transitions, after: { placed: { to: 'paid' } } } }],
        'after "placed": "in" is missing.',
      ],
      [
        [{ orders: { transitions, after: { placed: { to: 'paid', in: 'x' } } } }],
        `after "placed": "in" cannot be "x". ${time}`,
      ],
      [[{ orders: { transitions, field: '' } }], '"field" cannot be "".'],
      [[{ orders: { softDelete: '' } }], '"softDelete" cannot be "".'],
      [
        [{ orders: { transitions, actions: { 'a/b': 'paid' } } }],
        'an action cannot be named "a/b". Please give one path segment.',
      ],
    ],
  ],
  versions: [
    versions,
    [
      [
        [{ version: {} }],
        'the options of "versions": there is no "version". Did you mean "versions"?',
      ],
      [[{ versions: {} }], '"versions" is empty. Please give a version.'],
      [
        [{ versions: { v1: { deprecatd: 1 } } }],
        'the version "v1": there is no "deprecatd". Did you mean "deprecated"?',
      ],
      [
        [{ versions: { v1: { sunset: 'never' } } }],
        '"sunset" cannot be "never". Please give a date.',
      ],
      [
        [{ versions: { v1: { successor: 'v3' } } }],
        '"successor" cannot be "v3". Please give one of v1.',
      ],
      [
        [{ versions: { v1: {} }, default: 'v9' }],
        '"default" cannot be "v9". Please give one of v1.',
      ],
      [
        [{ versions: { v1: {} }, by: 'query' }],
        '"by" cannot be "query". Please give one of path, header, media.',
      ],
      [
        [{ versions: { v1: { fields: { pots: {} } } } }],
        'there is no resource "pots". Did you mean "posts"?',
      ],
    ],
  ],
  webhooks: [
    webhooks,
    [
      [
        [{ endpoint: [] }],
        'the options of "webhooks": there is no "endpoint". Did you mean "endpoints"?',
      ],
      [[{ endpoints: [{ ulr: url, secret }] }], 'there is no "ulr". Did you mean "url"?'],
      [[{ endpoints: [{ url }] }], '"secret" is missing. Please give "whsec_" followed by base64.'],
      [
        [{ endpoints: [{ url, secret: 'x' }] }],
        '"secret" cannot be "x". Please give "whsec_" followed by base64.',
      ],
      [
        [{ endpoints: [{ url: 'hooks', secret }] }],
        '"url" cannot be "hooks". Please give a URL such as "http://localhost:4000/hooks".',
      ],
      [
        [{ endpoints: [{ url, secret, events: ['post.created'] }] }],
        'there is no resource "post". Did you mean "posts"?',
      ],
      [
        [{ endpoints: [{ url, secret, events: ['posts.create'] }] }],
        'there is no event "posts.create". Did you mean "posts.created"?',
      ],
      [[{ endpoints: [], retries: ['x'] }], '"retries" cannot be ["x"].'],
      [[{ endpoints: [{ url: 'http://[x', secret }] }], '"url" cannot be "http://[x".'],
      [
        [{ endpoints: [{ url: 'http://a.test:port', secret }] }],
        '"url" cannot be "http://a.test:port".',
      ],
    ],
  ],
}

it('knows every factory', () => {
  const isFactory = (name: string): boolean =>
    !['acceptSocket', 'createRequestState', 'onLeave', 'pause', 'readJsonBody', 'stages'].includes(
      name,
    )
  expect(Object.keys(tables)).toEqual(Object.keys(factories).filter(isFactory).toSorted())
})

describe.each(Object.entries(tables))('%s', (_, [factory, rows]) => {
  it.each(rows)('refuses %j', (options, message) => {
    const create = (): unknown => createMock({ fixtures, use: [factory?.(...options) as never] })
    expect(create).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(CONFIG|SCHEMA)_INVALID$/) }),
    )
    expect(create).toThrow(message)
  })
})

const order = { key: 'userId', read: undefined, except: undefined }
const left: [what: string, factory: typeof auth, options: object][] = [
  ['owners', auth, { known: { a: 1 }, owners: { orders: order } }],
  ['keys', auth, { scheme: ['bearer', 'apiKey'], known: { a: 1 }, key: { header: undefined } }],
  ['places', auth, { known: { a: 1 }, paths: { login: undefined } }],
  ['pages', limit, { page: { max: 1, over: undefined } }],
  ['timestamps', fields, { orders: { timestamps: { createdAt: undefined } } }],
  ['faults', faults, { rules: [{ headers: {}, delay: undefined, times: undefined }] }],
]

it.each(left)('treats undefined among %s as not given', async (_, factory, options) => {
  const mock = createMock({ fixtures, use: [factory?.(options) as never] })
  const headers = { Authorization: 'Bearer a' }
  expect((await mock.fetch('/orders', { headers })).status).toBe(200)
})

it.each([['v1'], ['v1/notes'], ['v1/notes/drafts']])('accepts %j', (name) => {
  const use = [factories.auth({ protect: [name] })]
  const world = { users: [{ email: 'a' }], 'v1/notes': [], v2: [], 'v2/notes': [] }
  expect(() => createMock({ fixtures: world, use })).not.toThrow()
})
