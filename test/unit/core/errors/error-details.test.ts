import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { codeOf, toMessage } from '../../../../src/core/errors/error-details.ts'

describe('an error', () => {
  const errors: [title: string, error: unknown, code: string, message: string][] = [
    ['of a file system', Object.assign(new Error('no'), { code: 'ENOENT' }), 'ENOENT', 'no'],
    [
      'of another realm, as Node throws it into Jest and vmThreads',
      runInNewContext('Object.assign(new Error("no"), { code: "ENOENT" })'),
      'ENOENT',
      'no',
    ],
    ['without a code', new Error('no'), '', 'no'],
    ['that is a text', 'no', '', 'no'],
    ['that is nothing', undefined, '', 'undefined'],
    ['that is null', null, '', 'null'],
  ]

  it.each(errors)('%s has its code and its message', (_, error, code, message) => {
    expect([codeOf(error), toMessage(error)]).toEqual([code, message])
  })
})
