import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { deviations0 } from '../contract/dialects/deviations.ts'
import { jsonServer0 } from '../../src/dialects.ts'
import { exceptions0 } from './exceptions-0.ts'
import { startFixtura } from './harness/fixtura.ts'
import { runAll, seedsToRun } from './harness/run-seeds.ts'
import { setup0 } from './harness/setups.ts'
import { differsBySweep } from './harness/sweep.ts'

const setup = setup0({
  startSubject: (database) => startFixtura(database, jsonServer0),
  allowsState: ({ method }, reference, subject) =>
    method === 'DELETE' && differsBySweep(reference, subject),
  exceptions: exceptions0,
})

beforeAll(() => {
  // json-server prints the stack of every error that it answers with.
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe('the dialect json-server-0', () => {
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
    const names = deviations0.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(names).toEqual(expect.arrayContaining(exceptions0.map(({ name }) => name)))
  })
})
