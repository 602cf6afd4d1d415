import { expect, it } from 'vitest'

import { MockError } from '../../../src/core/errors.ts'

it('knows an error of another copy of the package by its name', () => {
  const other = Object.assign(new Error('Gone.'), { name: 'MockError', status: 410 })
  expect(other instanceof MockError).toBe(true)
  expect(new Error('Gone.') instanceof MockError).toBe(false)
  expect({ name: 'MockError' } instanceof MockError).toBe(false)
})
