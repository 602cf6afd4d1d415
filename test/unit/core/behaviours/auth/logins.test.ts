import { describe, expect, it } from 'vitest'

import { createCookies } from '../../../../../src/core/behaviours/auth/cookies.ts'
import { type Logins, maxLogins } from '../../../../../src/core/behaviours/auth/logins.ts'
import { toSettings } from '../../../../../src/core/behaviours/auth/options.ts'
import { createTokens } from '../../../../../src/core/behaviours/auth/tokens.ts'
import type { Exchange } from '../../../../../src/core/http/contract/exchange.ts'
import { createRandom } from '../../../../../src/core/time/random.ts'
import { createManualClock } from '../../../../../src/index.ts'

const settings = toSettings({ tokens: 'opaque', expires: '1h', refreshExpires: '1d' })
const hour = 3_600_000

function createLogins() {
  const clock = createManualClock()
  const logins: Logins = {
    access: new Map(),
    refresh: new Map(),
    sessions: new Map(),
    cookies: new Map(),
  }
  const tokens = createTokens(settings, logins, clock, createRandom(1), { list: [], onEnd: [] })
  const cookies = createCookies(settings, logins, clock, createRandom(1))
  const exchange = { headers: {}, origin: 'http://mock.test', service: { base: '' } }
  const sizes = () => Object.values(logins).map(({ size }) => size)
  async function login(): Promise<string> {
    cookies.start('1', exchange as unknown as Exchange)
    return (await tokens.issue('1', {})).access_token
  }
  return { clock, tokens, login, sizes }
}

describe('logins', () => {
  it('are forgotten when they have expired', async () => {
    const { clock, login, sizes } = createLogins()
    for (let count = 0; count < 20; count++) await login()
    expect(sizes()).toEqual([20, 20, 20, 20])
    clock.advance(hour)
    await login()
    expect(sizes()).toEqual([1, 21, 21, 1])
    clock.advance(24 * hour)
    await login()
    expect(sizes()).toEqual([1, 1, 1, 1])
  })

  it('are bounded, of which the oldest is forgotten first', async () => {
    const { tokens, login, sizes } = createLogins()
    const first = await login()
    const second = await login()
    for (let count = 2; count <= maxLogins; count++) await login()
    expect(sizes()).toEqual([maxLogins, maxLogins, maxLogins, maxLogins])
    expect(tokens.verify(first)).toBe('unknown')
    expect(tokens.verify(second)).toMatchObject({ userId: '1' })
  })

  it('stay ended as long as one of their tokens could be valid', async () => {
    const { clock, tokens, login } = createLogins()
    const granted = await tokens.issue('1', {})
    clock.advance(hour / 2)
    const redeemed = tokens.redeem(granted.refresh_token)
    const session = typeof redeemed === 'object' ? redeemed.session : ''
    const renewed = await tokens.renew(session, '1', {})
    tokens.end(session)
    clock.advance(hour / 2)
    await login()
    expect(tokens.verify(renewed.access_token)).toBe('unknown')
    expect(tokens.redeem(renewed.refresh_token)).toBe('unknown')
  })
})
