import { describeDifference } from '../../../src/core/drift/difference.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { type Drift, type DriftOptions, findDrift } from '../../../src/drift/find-drift.ts'
import { createMock } from '../../../src/faces/fetch/create-mock.ts'

/** Compares a mock of fixtures with another side. */
export function compare(
  source: string,
  fixtures: object,
  options: Partial<DriftOptions> = {},
  config: object = {},
): Promise<Drift> {
  const mock = createMock({ fixtures, ...config })
  const all = {
    cwd: '/',
    headers: {},
    ignore: [],
    pages: 3,
    members: 3,
    timeout: 5000,
    source,
    ...options,
  }
  return findDrift({ internals: internalsOf(mock), fetch: mock.fetch }, all)
}

/** The differences as lines, without where they were seen. */
export function linesOf({ differences }: Drift): string[] {
  return differences.map((one) => `${one.path}: ${describeDifference(one)}`)
}
