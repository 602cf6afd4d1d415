import { describe, expect, it } from 'vitest'

import { clone, type JsonRecord } from '../../../../src/core/json/json.ts'
import { mergeOne, mergeRecords } from '../../../../src/core/store/merge.ts'
import { fc } from '../../../fast-check.ts'

describe('mergeRecords', () => {
  const a = { id: 1, t: 'a' }
  const b = { id: 1, t: 'b' }
  const c = { id: 1, t: 'c' }
  const two = { id: 2, t: 'x' }
  const three = { id: 3, t: 'y' }

  type Row = [
    title: string,
    base: JsonRecord[],
    theirs: JsonRecord[],
    ours: JsonRecord[],
    expected: JsonRecord[],
    conflicts: string[],
  ]
  const rows: Row[] = [
    ['keeps what nobody changed', [a], [a], [a], [a], []],
    ['takes what only the file changed', [a], [b], [a], [b], []],
    ['keeps what only requests changed', [a], [a], [b], [b], []],
    ['takes the file where both changed', [a], [b], [c], [b], ['1']],
    ['sees no conflict where both changed it alike', [a], [b], [b], [b], []],
    ['takes what the file created', [a], [a, two], [a], [a, two], []],
    ['keeps what requests created', [a], [a], [a, two], [a, two], []],
    ['puts what requests created behind the file', [a], [a, three], [a, two], [a, three, two], []],
    ['takes the file where both created one', [], [b], [c], [b], ['1']],
    ['sees no conflict where both created the same', [], [b], [b], [b], []],
    ['drops what the file deleted', [a, two], [two], [a, two], [two], []],
    ['keeps deleted what requests deleted', [a, two], [a, two], [two], [two], []],
    ['drops what both deleted', [a, two], [two], [two], [two], []],
    ['brings back what requests deleted and the file changed', [a], [b], [], [b], ['1']],
    ['drops what requests changed and the file deleted', [a], [], [b], [], ['1']],
    ['follows the order of the file', [a, two], [two, a], [b, two], [two, b], []],
    ['matches a number and its text', [a], [{ id: '1', t: 'a' }], [a], [{ id: '1', t: 'a' }], []],
  ]

  it.each(rows)('%s', (_title, base, theirs, ours, expected, conflicts) => {
    expect(mergeRecords({ base, theirs, ours }, 'id')).toEqual({ records: expected, conflicts })
  })

  it('matches by the id field it is given', () => {
    const base = [{ key: 'x', id: 1 }]
    const theirs = [{ key: 'x', id: 2 }]
    expect(mergeRecords({ base, theirs, ours: base }, 'key').records).toEqual(theirs)
  })

  it('merges like a model that merges one id at a time', () => {
    fc.assert(
      fc.property(states, ({ base, theirs, ours }) => {
        const merged = mergeRecords({ base, theirs, ours }, 'id')
        expect(merged).toEqual(model(base, theirs, ours))
      }),
      { numRuns: 1000 },
    )
  })

  it('changes no input, and returns the records of requests where they are equal', () => {
    fc.assert(
      fc.property(states, (given) => {
        const before = clone(given)
        const { records } = mergeRecords(given, 'id')
        expect(given).toEqual(before)
        for (const record of records) {
          const own = given.ours.find((one) => one['id'] === record['id'])
          if (own && JSON.stringify(own) === JSON.stringify(record)) expect(record).toBe(own)
        }
      }),
    )
  })

  it('returns the file where requests changed nothing, and the data where the file is unchanged', () => {
    fc.assert(
      fc.property(states, ({ base, theirs, ours }) => {
        expect(mergeRecords({ base, theirs, ours: base }, 'id')).toEqual({
          records: theirs,
          conflicts: [],
        })
        const kept = mergeRecords({ base, theirs: base, ours }, 'id')
        expect(kept.conflicts).toEqual([])
        expect(sorted(kept.records)).toEqual(sorted(ours))
      }),
    )
  })

  it('merges 100,000 records in linear time', () => {
    const base = Array.from({ length: 100_000 }, (_, id) => ({ id, t: 'x' }))
    const theirs = base.toReversed().map((record) => ({ ...record }))
    const { records, conflicts } = mergeRecords({ base, theirs, ours: base }, 'id')
    expect(conflicts).toEqual([])
    expect(records[0]).toBe(base.at(-1))
  })
})

describe('mergeOne', () => {
  const rows: [string, JsonRecord, JsonRecord, JsonRecord, JsonRecord, boolean][] = [
    ['keeps a singleton that nobody changed', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }, false],
    ['takes the file where only it changed', { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, false],
    ['keeps what only requests changed', { a: 1 }, { a: 1 }, { a: 3 }, { a: 3 }, false],
    [
      'takes the whole file where both changed, other fields too',
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      true,
    ],
  ]

  it.each(rows)('%s', (_title, base, theirs, ours, expected, isConflict) => {
    expect(mergeOne({ base, theirs, ours })).toEqual({ value: expected, isConflict })
  })
})

const record = fc.record({ id: fc.nat(7), t: fc.constantFrom('a', 'b', 'c') })
const list = fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 8 })
const states = fc.record({ base: list, theirs: list, ours: list })

/** The contract, word by word and one id at a time; slow, and nothing like the code it checks. */
function model(base: JsonRecord[], theirs: JsonRecord[], ours: JsonRecord[]) {
  const text = (list: JsonRecord[], id: unknown): string =>
    JSON.stringify(list.find((one) => one['id'] === id) ?? null)
  const outcome = (id: unknown): [winner: string, isConflict: boolean] => {
    const [was, file, requests] = [text(base, id), text(theirs, id), text(ours, id)]
    const fileChanged = file !== was
    const requestsChanged = requests !== was
    if (fileChanged && requestsChanged) return [file, file !== requests]
    return [fileChanged ? file : requests, false]
  }
  const behind = ours.filter(({ id }) => text(theirs, id) === 'null')
  const order = [...theirs, ...behind].map(({ id }) => id)
  return {
    records: order
      .map((id) => JSON.parse(outcome(id)[0]) as JsonRecord | null)
      .filter((one) => one !== null),
    conflicts: order.filter((id) => outcome(id)[1]).map(String),
  }
}

function sorted(records: readonly JsonRecord[]): JsonRecord[] {
  return [...records].sort((x, y) => Number(x['id']) - Number(y['id']))
}
