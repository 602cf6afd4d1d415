import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { createLearner } from '../../../src/core/learn/learner.ts'
import type { RecordedExchange } from '../../../src/core/learn/parse-exchange.ts'
import { writeLearned } from '../../../src/record/files/write-learned.ts'
import { createFolder } from '../loader/folder.ts'

const origin = 'https://api.planted.test'

const toBase64 = (text: string): string => Buffer.from(text).toString('base64')

const jwt = `eyJhbGciOiJIUzI1NiJ9.${toBase64('{"sub":"17","email":"quentin@hidden.dev"}')}.s1gnature`

/** The credentials and personal texts, by where an exchange first shows them. */
const planted: Record<string, string> = {
  'a password in JSON': 'pw-Json-Quokka-1',
  'a password in a form': 'pw+Form&Quokka 2',
  'a password in a form with parts': 'pw-Parts-Quokka-3',
  'a password of basic credentials': 'pw-Basic-Quokka-4',
  'a bearer token': 'tok_Bearer_Quokka_5',
  'a token of a login': 'tok_Login_Quokka_6',
  'a refresh token': 'tok_Refresh_Quokka_7',
  'an API key in a header': 'key-Header-Quokka-8',
  'an API key in the query': 'key-Query-Quokka-9',
  'a session cookie': 'sess-Cookie-Quokka-10',
  'a cookie of the response': 'sess-SetCookie-Quokka-11',
  'a token in a path': 'tok-Path-Quokka-12',
  'a token in a redirect': 'tok-Redirect-Quokka-13',
  'a secret in JSON inside of a text': 'sec-Inner-Quokka-14',
  'a header of the response': 'csrf-Header-Quokka-15',
  'a password with quotes': 'pw"Quoted\\Quokka-16',
  'a JSON Web Token': jwt,
  'a first name': 'Quentin',
  'a last name': 'Zuckerbrot',
  'an email address': 'quentin@hidden.dev',
  'a telephone number': '+49 (030) 987-6543',
  'a street': 'Vogelsangweg 77',
}

const of = (name: string): string => planted[name] ?? ''

const json: [string, string] = ['Content-Type', 'application/json']

const person = {
  id: 17,
  firstName: of('a first name'),
  lastName: of('a last name'),
  email: of('an email address'),
  phone: of('a telephone number'),
  street: of('a street'),
}

const login = {
  user: person,
  accessToken: of('a token of a login'),
  refresh_token: of('a refresh token'),
  id_token: jwt,
}

const form = ['name=Logo', `password=${encodeURIComponent(of('a password in a form'))}`].join('&')

const parts = [
  '--b',
  'Content-Disposition: form-data; name="password"',
  '',
  of('a password in a form with parts'),
  '--b--',
].join('\r\n')

const inner = JSON.stringify({ client_secret: of('a secret in JSON inside of a text'), by: person })

const basic = toBase64(`quentin@hidden.dev:${of('a password of basic credentials')}`)

/** Every planted text under a name that says nothing, and inside of other texts. */
const echoes = Object.values(planted).flatMap((text, at) => [
  { id: at * 4 + 1, note: text },
  { id: at * 4 + 2, note: `The value ${text} is wrong, ${JSON.stringify({ text })} too.` },
  { id: at * 4 + 3, note: `/callback?to=${encodeURIComponent(`/x?y=${text}`)}#z=${text}` },
  { id: at * 4 + 4, [`of ${text} the`]: 1 },
])

/** The secrets in base64, at each place in a group of three bytes. */
const encoded = Object.values(planted)
  .slice(0, 16)
  .flatMap((text, at) =>
    ['', 'a', 'ab'].map((start, shift) => ({
      id: at * 3 + shift + 1,
      note: `Encoded: ${toBase64(`${start}${text}:end`)}`,
    })),
  )

interface Shorter extends Partial<RecordedExchange> {
  request: string
  json?: unknown
}

const exchanges: Shorter[] = [
  {
    request: 'POST /auth/login',
    requestHeaders: [json],
    requestBody: JSON.stringify({ email: person.email, password: of('a password in JSON') }),
    headers: [json, ['Set-Cookie', `sid=${of('a cookie of the response')}; HttpOnly; Path=/`]],
    json: login,
  },
  {
    request: 'POST /auth/login',
    requestHeaders: [json],
    requestBody: JSON.stringify({ login: { name: 'x', password: of('a password with quotes') } }),
    status: 401,
    json: { error: `Wrong password ${of('a password with quotes')} for ${person.email}` },
  },
  {
    request: 'POST /legacy',
    requestBody: form,
    requestHeaders: [['Content-Type', 'application/x-www-form-urlencoded']],
    json: { ok: form },
  },
  {
    request: 'POST /upload',
    requestBody: parts,
    requestHeaders: [['Content-Type', 'multipart/form-data; boundary=b']],
    json: { ok: parts },
  },
  {
    request: 'GET /whoami',
    requestHeaders: [['Authorization', `Basic ${basic}`]],
    json: { seen: `Basic ${basic}` },
  },
  {
    request: 'GET /debug',
    requestHeaders: [['Authorization', `Bearer ${of('a bearer token')}`]],
    json: { inner },
  },
  {
    request: 'GET /keys',
    requestHeaders: [['X-API-Key', of('an API key in a header')]],
    json: { ok: true },
  },
  {
    request: `GET /items?api_key=${of('an API key in the query')}`,
    json: { next: `${origin}/items?page=2&api_key=${of('an API key in the query')}` },
  },
  {
    request: 'GET /session',
    requestHeaders: [['Cookie', `a=b; sid=${of('a session cookie')}`]],
    headers: [json, ['X-CSRF-Token', of('a header of the response')]],
    json: { ok: 1 },
  },
  { request: `GET /password-reset/${of('a token in a path')}`, json: { ok: true } },
  {
    request: 'GET /go',
    status: 302,
    headers: [['Location', `${origin}/cb#access_token=${of('a token in a redirect')}&x=1`]],
  },
  { request: 'GET /users', json: [person, { ...person, id: 18, email: 'other@hidden.dev' }] },
  { request: 'GET /notes', json: echoes },
  { request: 'GET /encoded', json: encoded },
  {
    request: 'GET /report.txt',
    headers: [['Content-Type', 'text/plain']],
    body: Object.values(planted).join('\n'),
  },
  {
    request: 'GET /report.bin',
    headers: [['Content-Type', 'application/octet-stream']],
    base64: Buffer.concat([
      Buffer.from([0, 255]),
      Buffer.from(Object.values(planted).slice(0, 16).join('\0')),
    ]).toString('base64'),
  },
  {
    request: 'POST /notes',
    requestHeaders: [json],
    requestBody: JSON.stringify({ note: `By ${person.lastName}: ${of('a bearer token')}` }),
    status: 422,
    json: { errors: { note: `${of('a bearer token')} by ${person.firstName}` } },
  },
  {
    request: `GET /broken/${of('a bearer token')}`,
    status: 404,
    json: { error: `No ${of('a bearer token')}` },
  },
]

function toExchange({ request, json: value, ...rest }: Shorter, at: number): RecordedExchange {
  const [method = '', path = ''] = request.split(' ')
  return {
    startedAt: at * 1000,
    method,
    url: origin + path,
    requestHeaders: [],
    requestBody: undefined,
    status: 200,
    headers: [json],
    body: value === undefined ? undefined : JSON.stringify(value),
    ...rest,
  }
}

it('writes no planted text to any file', async () => {
  const folder = createFolder({})
  const learner = createLearner({ origin })
  for (const exchange of exchanges.map(toExchange)) learner.add(exchange)
  await writeLearned(learner.learned(), { out: join(folder, 'fixtures'), cwd: folder })
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.flatMap((name): [string, string][] =>
    /\.\w+$/.test(name) ? [[name, readFileSync(join(folder, name), 'utf8')]] : [],
  )
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap(([name, text]) => {
    const all = [name, text, decodeAll(text), ...decodeBase64(text)].join('\n')
    return Object.entries(planted).flatMap(([title, secret]) => {
      const forms = [secret, JSON.stringify(secret).slice(1, -1)]
      return forms.some((form) => all.includes(form)) ? [`${title}: ${name}`] : []
    })
  })
  expect(found).toEqual([])
})

function decodeBase64(text: string): string[] {
  return [...text.matchAll(/[\w+/-]{12,}={0,2}/g)].map(([word]) =>
    Buffer.from(word, 'base64').toString('latin1'),
  )
}

/** Decodes what URLs have encoded, twice. */
function decodeAll(text: string): string {
  const once = text.replaceAll(/(?:%[\dA-F]{2})+/gi, (part) => decodeURIComponent(part))
  return once.replaceAll(/(?:%[\dA-F]{2})+/gi, (part) => decodeURIComponent(part))
}
