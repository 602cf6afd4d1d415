import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { deviations1Beta } from '../contract/dialects/deviations-1-beta.ts'
import { jsonServer1Beta } from '../../src/dialects.ts'
import { exceptions1Beta } from './exceptions-1-beta.ts'
import { startFixtura } from './harness/fixtura.ts'
import { runAll, seedsToRun } from './harness/run-seeds.ts'
import { setup1Beta } from './harness/setups.ts'

const setup = setup1Beta({
  startSubject: (database) => startFixtura(database, jsonServer1Beta),
  exceptions: exceptions1Beta,
})

beforeAll(() => {
  // json-server prints the stack of every error that it answers with.
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe('the dialect json-server-1-beta', () => {
  it.each(seedsToRun())(
    'answers 2000 requests of seed %s as json-server 1.0.0-beta.3 does',
    async (seed) => {
      const { requests, failures } = await runAll(setup, seed)
      expect(failures.join('\n\n')).toBe('')
      expect(requests).toBe(2000)
    },
    120_000,
  )

  it('has a row in its table for each exception', () => {
    const names = deviations1Beta.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(names).toEqual(expect.arrayContaining(exceptions1Beta.map(({ name }) => name)))
  })
})
