import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { findPathProblem } from '../../../../src/loader/discover/path-problem.ts'

describe('findPathProblem', () => {
  it('recognizes the error of another realm', async () => {
    const error: unknown = runInNewContext('Object.assign(new Error("no"), { code: "EACCES" })')
    expect(await findPathProblem('/a/b.json', 'b.json', error)).toMatchObject({
      message: 'Failed to read "b.json": permission denied.',
    })
  })
})
