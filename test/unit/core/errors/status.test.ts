import { expect, it } from 'vitest'

import { phraseOf } from '../../../../src/core/errors/status.ts'

it.each([
  [404, 'Not Found'],
  [418, "I'm a Teapot"],
  [499, 'Client Error'],
  [599, 'Server Error'],
])('names the status %i', (status, phrase) => {
  expect(phraseOf(status)).toBe(phrase)
})
