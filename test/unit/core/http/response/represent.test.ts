import { describe, expect, it } from 'vitest'

import type { Answer, RenderContext } from '../../../../../src/core/dialects/contract/dialect.ts'
import { represent } from '../../../../../src/core/http/response/represent.ts'

const context: RenderContext = {
  method: 'GET',
  path: '/posts',
  headers: {},
  params: [],
  origin: '',
}

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
  const settings = { indent: undefined, cacheControl: 'no-cache', validity: undefined }

  it('that no text can hold is an error of whoever asks', () => {
    const answer = endsWith(new RangeError('Invalid string length'))
    expect(() => represent(answer, context, settings)).toThrow(
      expect.objectContaining({ status: 400, code: 'ANSWER_TOO_LONG' }),
    )
  })

  it('that fails otherwise is not', () => {
    const error = new TypeError('no JSON')
    expect(() => represent(endsWith(error), context, settings)).toThrow(error)
  })
})
