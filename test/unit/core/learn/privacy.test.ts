import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { substitute } from '../../../../src/core/learn/privacy/substitute.ts'
import { toBase64Url } from '../../../../src/core/text/base64.ts'
import { fc } from '../../../fast-check.ts'
import { dataOf, learn } from './exchanges.ts'

const jwt = ['{"alg":"HS256"}', '{"sub":"ann@real.dev","exp":99,"role":"admin"}', 'signature']
  .map(toBase64Url)
  .join('.')

describe('substitutes', () => {
  const formats: [title: string, value: Json, expected: RegExp][] = [
    ['an email address', 'Ann.Bee@real.dev', /^[a-z.]+\.[a-z\d]{4}@example\.com$/],
    ['an address inside of a text', 'Mail ann@real.dev!', /^Mail [a-z.\d]+@example\.com!$/],
    ['a telephone number', '+49 (030) 123-45', /^\+\d\d \(\d{3}\) \d{3}-\d\d$/],
    ['a name', 'Ann Bee', /^[A-Z][a-z]{2} [A-Z][a-z]{2}$/],
    ['a sentence', 'He likes to walk by the sea.', /^[A-Z]?[a-z]( [a-z]+){6}\.$/],
    ['a date', '1990-12-31', /^1990-\d\d-\d\d$/],
    ['a network address', '10.0.0.7', /^192\.0\.2\.\d+$/],
    ['a token', 'a1B2-c3', /^[a-z]\d[A-Z]\d-[a-z]\d$/],
    ['a JSON Web Token', jwt, /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/],
  ]

  it.each(formats)('have the format of %s', (_title, value, expected) => {
    const replaced = substitute(value)
    expect(replaced).toMatch(expected)
    expect(replaced).not.toBe(value)
    expect(substitute(value)).toBe(replaced)
  })

  it('keep the times and the roles of a token', () => {
    const [, payload = ''] = (substitute(jwt) as string).split('.')
    const claims = JSON.parse(atob(payload)) as Record<string, unknown>
    expect(claims).toMatchObject({ exp: 99, role: 'admin' })
    expect(JSON.stringify(claims)).not.toContain('real.dev')
  })

  it('agree between a full name and its parts', () => {
    const [first, last, full] = ['Ann', 'Bee', 'Ann Bee'].map(substitute)
    expect(full).toBe(`${first as string} ${last as string}`)
  })

  it('keep addresses that belong to nobody', () => {
    expect(substitute('ann@example.com')).toBe('ann@example.com')
  })

  it('are different for different addresses', () => {
    const addresses = fc.uniqueArray(fc.emailAddress(), { minLength: 2, maxLength: 20 })
    fc.assert(
      fc.property(addresses, (all) => {
        const lower = new Set(all.map((one) => one.toLowerCase()))
        expect(new Set([...lower].map((one) => substitute(one))).size).toBe(lower.size)
      }),
      { numRuns: 50 },
    )
  })
})

describe('private values', () => {
  const rows: [field: string, value: Json, isReplaced: boolean, siblings?: Record<string, Json>][] =
    [
      ['email', 'ann@real.dev', true],
      ['contact', 'ann@real.dev', true],
      ['workPhone', '030 1234567', true],
      ['first_name', 'Ann', true],
      ['name', 'Ann Bee', false],
      ['name', 'Ann Bee', true, { email: 'ann@real.dev' }],
      ['password', 'hunter22', true],
      ['api_key', 'k-123456', true],
      ['note', 'sk_live_abcdef123456', true],
      ['nextPageToken', 'abc123', false],
      ['token_type', 'Bearer', false],
      ['sessionId', 5, false],
      ['iban', 'DE02120300000000202051', true],
      ['dateOfBirth', '1990-12-31', true],
      ['username', 'annbee', false],
      ['city', 'Berlin', false],
      ['address', 'Main Street 5', true],
    ]

  it.each(rows)('%s: %j is replaced: %s', (field, value, isReplaced, siblings = {}) => {
    const { users } = dataOf(learn([['GET /users', [{ id: 1, [field]: value, ...siblings }]]]))
    const [user] = users as Record<string, Json>[]
    expect(user?.[field] !== value).toBe(isReplaced)
  })

  it('are replaced wherever they stand, so that relations hold', () => {
    const { users, posts } = dataOf(
      learn([
        ['GET /users/ann@real.dev', { id: 'ann@real.dev', fullName: 'Ann Bee' }],
        ['GET /posts', [{ id: 1, writer: 'Ann Bee', userId: 'ann@real.dev' }]],
      ]),
    ) as Record<string, Record<string, Json>[]>
    expect(posts?.[0]?.['userId']).toBe(users?.[0]?.['id'])
    expect(posts?.[0]?.['writer']).toBe(users?.[0]?.['fullName'])
  })

  it('are those that redact names, and only credentials with none', () => {
    const user = { id: 1, city: 'Berlin', email: 'ann@real.dev', password: 'hunter22' }
    const replaced = (redact: string[]): unknown => {
      const { users } = dataOf(learn([['GET /users', [user]]], { redact }))
      const [found = {}] = users as Record<string, Json>[]
      return Object.keys(user).filter((key) => found[key] !== user[key as keyof typeof user])
    }
    expect(replaced(['city'])).toEqual(['city', 'email', 'password'])
    expect(replaced(['none'])).toEqual(['password'])
  })

  it('are no messages about fields, which errors have', () => {
    const errors = { password: ['is too short, by 2 characters'], credentials: ['invalid'] }
    const sent = { email: 'ann@real.dev', password: 'hunter22' }
    const { answers } = learn([
      ['POST /login', { errors, token: 'k-123456' }, { status: 422, sent }],
      ['POST /join', { error: { password: 'hunter22 of ann@real.dev' } }, { status: 422, sent }],
    ])
    const [join, login] = answers.map(({ json }) => json as Record<string, Json>)
    expect(login?.['errors']).toEqual(errors)
    expect(login?.['token']).not.toBe('k-123456')
    expect(JSON.stringify(join)).not.toMatch(/hunter22|real\.dev/)
  })
})
