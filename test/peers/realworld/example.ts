import { join } from 'node:path'

import { loadMock } from 'fixtura/node'

import type { Mock } from '../../../src/index.ts'

/** The folder of the example. */
export const example: string = join(import.meta.dirname, '../../examples/realworld')

/** Loads the mock of the RealWorld API as the command does, with the data of its fixtures. */
export async function loadExample(onProblem?: (problem: unknown) => void): Promise<Mock> {
  const options = onProblem ? { onProblem } : {}
  return loadMock(join(example, 'mock.config.js'), options)
}
