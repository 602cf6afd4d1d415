import { expect, it } from 'vitest'

import { redirect } from '../../../src/ssr.ts'

it('replaces nothing without a URL of the mock', () => {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  redirect({ 'https://api.example.com': undefined })
  expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')).toEqual(native)
})
