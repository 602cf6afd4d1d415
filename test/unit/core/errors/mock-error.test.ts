import { expect, it } from 'vitest'

import { MockError } from '../../../../src/core/errors/mock-error.ts'

it('recognizes an error of another copy of the package by its name', () => {
  const other = Object.assign(new Error('Gone.'), { name: 'MockError', status: 410 })
  expect(other instanceof MockError).toBe(true)
  expect(new Error('Gone.') instanceof MockError).toBe(false)
  expect({ name: 'MockError' } instanceof MockError).toBe(false)
})

it('treats undefined options as missing', () => {
  const options = { status: undefined, code: undefined, headers: undefined, name: 'Other' }
  const error = new MockError('Gone.', options as object)
  const { name, status, code, errors, headers, extensions } = error
  expect({ name, status, code, errors, headers, extensions }).toEqual({
    name: 'MockError',
    status: 500,
    code: 'ERROR',
    errors: undefined,
    headers: [],
    extensions: {},
  })
})
