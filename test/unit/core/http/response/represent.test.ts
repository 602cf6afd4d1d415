import { describe, expect, it } from 'vitest'

import type { Answer } from '../../../../../src/core/dialects/contract/dialect.ts'
import type { Exchange } from '../../../../../src/core/http/contract/exchange.ts'
import { represent } from '../../../../../src/core/http/response/represent.ts'

const exchange = { headers: {}, service: { dialect: {} } } as unknown as Exchange

/** Stands for what no machine of a test has the memory for. */
function endsWith(error: Error): Answer {
  return {
    status: 200,
    headers: [],
    value: {
      toJSON() {
        throw error
      },
    },
  }
}

describe('an answer', () => {
  it('that no text can hold is an error of whoever asks', () => {
    const answer = endsWith(new RangeError('Invalid string length'))
    expect(() => represent(exchange, answer)).toThrow(
      expect.objectContaining({ status: 400, code: 'ANSWER_TOO_LONG' }),
    )
  })

  it('that fails otherwise is not', () => {
    const error = new TypeError('no JSON')
    expect(() => represent(exchange, endsWith(error))).toThrow(error)
  })
})
