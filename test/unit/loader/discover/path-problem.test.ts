import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { findProblem } from '../../../../src/loader/discover/path-problem.ts'

describe('an error', () => {
  it('of another realm is told as it is', async () => {
    const error: unknown = runInNewContext('Object.assign(new Error("no"), { code: "EACCES" })')
    expect(await findProblem('/a/b.json', 'b.json', error)).toMatchObject({
      message: 'Failed to read "b.json": permission denied.',
    })
  })
})
