import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { codeOf, toMessage } from '../../../../src/core/errors/error-details.ts'

describe('a thrown value', () => {
  const errors: [title: string, error: unknown, code: string, message: string][] = [
    ['of the file system', Object.assign(new Error('no'), { code: 'ENOENT' }), 'ENOENT', 'no'],
    [
      'of another realm, as Node throws it into Jest and vmThreads',
      runInNewContext('Object.assign(new Error("no"), { code: "ENOENT" })'),
      'ENOENT',
      'no',
    ],
    ['without a code', new Error('no'), '', 'no'],
    ['that is a string', 'no', '', 'no'],
    ['that is undefined', undefined, '', 'undefined'],
    ['that is null', null, '', 'null'],
  ]

  it.each(errors)('%s has its code and its message', (_, error, code, message) => {
    expect([codeOf(error), toMessage(error)]).toEqual([code, message])
  })
})
