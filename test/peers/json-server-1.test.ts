import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { deviations1 } from '../contract/dialects/deviations.ts'
import { jsonServer1 } from '../../src/dialects.ts'
import { exceptions1 } from './exceptions-1.ts'
import { startFixtura } from './harness/fixtura.ts'
import { runAll, seedsToRun } from './harness/run-seeds.ts'
import { setup1 } from './harness/setups.ts'

const setup = setup1({
  startSubject: (database) => startFixtura(database, jsonServer1),
  exceptions: exceptions1,
})

beforeAll(() => {
  // json-server prints the stack of every error that it answers with.
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe('the dialect json-server-1', () => {
  it.each(seedsToRun())(
    'answers 2000 requests of seed %s as json-server does',
    async (seed) => {
      const { requests, failures } = await runAll(setup, seed)
      expect(failures.join('\n\n')).toBe('')
      expect(requests).toBe(2000)
    },
    120_000,
  )

  it('has a row in its table for each exception', () => {
    const names = deviations1.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(names).toEqual(expect.arrayContaining(exceptions1.map(({ name }) => name)))
  })
})
