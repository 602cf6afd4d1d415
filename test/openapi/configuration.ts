import type { Mock, MockOptions } from '../../src/index.ts'

/** A mock whose document is tested; `prepare` returns the headers of its requests. */
export type Configuration = readonly [
  title: string,
  config: () => MockOptions<Record<string, unknown>>,
  prepare?: ((mock: Mock) => Promise<Record<string, string>>) | undefined,
]

/** Creates a function that logs in, for the headers of further requests. */
export function logInAs(email: string): NonNullable<Configuration[2]> {
  return async (mock) => {
    const body = JSON.stringify({ email, password: 'secret' })
    const headers = { 'Content-Type': 'application/json' }
    const response = await mock.fetch(`http://localhost${mock.base}/login`, {
      method: 'POST',
      headers,
      body,
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    return { Authorization: `Bearer ${token}` }
  }
}

/** The states of orders, with actions. */
export const orderStates = {
  orders: {
    initial: 'placed',
    transitions: { placed: ['paid', 'cancelled'], paid: ['shipped'], shipped: ['delivered'] },
    actions: {
      pay: { to: 'paid', set: { note: 'Paid' } },
      ship: { to: 'shipped', fields: ['tracking'], takes: '1s' },
    },
    softDelete: true,
  },
}
