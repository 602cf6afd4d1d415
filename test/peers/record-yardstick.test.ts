import { writeFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { academy } from './backends/academy.ts'
import { catalog, catalogFolder } from './backends/catalog.ts'
import { conduit } from './backends/conduit.ts'
import { depot } from './backends/depot-session.ts'
import { gardens } from './backends/gardens.ts'
import { library } from './backends/library-session.ts'
import { payments, paymentsFolder } from './backends/payments.ts'
import { shop } from './backends/shop-session.ts'
import { studio } from './backends/studio.ts'
import { tracker } from './backends/tracker.ts'
import { visits } from './backends/visits.ts'
import { ways } from './backends/command.ts'
import { measure, type Measures, type Score, toTable } from './backends/yardstick.ts'

/**
 * The least that the mocks of a recorded and of an imported session reach: numbers of answers, and for files and lines
 * the most. They are raised whenever more is reached. YARDSTICK=1 prints the table of all, with the answers that
 * differ, and YARDSTICK=table.md writes it to a file.
 */
const rows = [
  {
    style: shop,
    reads: 59,
    right: 38,
    equal: 37,
    replayed: 76,
    statuses: 84,
    files: 6,
    lines: 130,
  },
  {
    style: depot,
    reads: 56,
    right: 40,
    equal: 35,
    replayed: 71,
    statuses: 77,
    files: 6,
    lines: 136,
  },
  {
    style: library,
    reads: 59,
    right: 40,
    equal: 40,
    replayed: 81,
    statuses: 84,
    files: 7,
    lines: 120,
  },
  {
    style: gardens,
    reads: 31,
    right: 40,
    equal: 40,
    replayed: 48,
    statuses: 51,
    files: 2,
    lines: 103,
  },
  {
    style: conduit,
    reads: 33,
    right: 36,
    equal: 32,
    replayed: 63,
    statuses: 66,
    files: 5,
    lines: 129,
  },
  {
    style: catalog,
    reads: 85,
    right: 36,
    equal: 30,
    replayed: 91,
    statuses: 94,
    files: 7,
    lines: 86,
  },
  {
    style: payments,
    reads: 51,
    right: 5,
    equal: 3,
    replayed: 52,
    statuses: 70,
    files: 8,
    lines: 132,
  },
  {
    style: visits,
    reads: 50,
    right: 33,
    equal: 31,
    replayed: 60,
    statuses: 69,
    files: 5,
    lines: 126,
  },
  {
    style: academy,
    reads: 45,
    right: 38,
    equal: 34,
    replayed: 54,
    statuses: 59,
    files: 7,
    lines: 84,
  },
  {
    style: studio,
    reads: 43,
    right: 32,
    equal: 32,
    replayed: 57,
    statuses: 63,
    files: 5,
    lines: 89,
  },
  {
    style: tracker,
    reads: 40,
    right: 6,
    equal: 6,
    replayed: 46,
    statuses: 49,
    files: 4,
    lines: 67,
  },
]

/** The least for the session, as recorded or as the API answers when the session is repeated. */
const settled = new Map([
  [shop, { settled: 81, settledStatuses: 85 }],
  [depot, { settled: 77, settledStatuses: 79 }],
  [library, { settled: 86, settledStatuses: 87 }],
  [gardens, { settled: 51, settledStatuses: 51 }],
  [conduit, { settled: 65, settledStatuses: 67 }],
  [catalog, { settled: 91, settledStatuses: 94 }],
  [payments, { settled: 55, settledStatuses: 70 }],
  [visits, { settled: 62, settledStatuses: 70 }],
  [academy, { settled: 54, settledStatuses: 59 }],
  [studio, { settled: 57, settledStatuses: 63 }],
  [tracker, { settled: 47, settledStatuses: 49 }],
])

const all: Measures[] = []
const errors: string[] = []

afterAll(() => {
  const target = process.env['YARDSTICK'] ?? ''
  if (target === '') return
  const table = [toTable(all), ...errors].join('\n')
  if (target === '1') process.stdout.write(`${table}\n`)
  else writeFileSync(target, `${table}\n`)
})

/** The variables that name the folders of public applications, which are no part of this repository. */
const folders = new Map([
  [payments, ['PAYMENTS_APP', paymentsFolder]],
  [catalog, ['CATALOG_APP', catalogFolder]],
])

describe.each(rows)('the mocks of a session: $style.name', ({ style, ...row }) => {
  const least = { settled: 0, settledStatuses: 0, ...row, ...settled.get(style) }
  const [variable, folder] = folders.get(style) ?? []
  if (folder === '') {
    it.skip(`are skipped: ${variable} names no folder of the application`, () => undefined)
    return
  }
  const measures = new Map<string, Measures>()

  beforeAll(async () => {
    for (const one of await measure(style)) {
      if (one instanceof Error) errors.push(`\n${style.name}: ${one.message}`)
      else measures.set(one.way, one)
    }
    all.push(...measures.values())
  })

  describe.each(ways)('mock %s', (way) => {
    it.each([
      ['answers recorded reads as recorded', 'reads'],
      ['answers other questions with the right records, order and totals', 'right'],
      ['answers other questions equally to the last field', 'equal'],
      ['answers the session equally', 'replayed'],
      ['answers the session with the same statuses', 'statuses'],
      ['answers the session equally, or as the API when it is repeated', 'settled'],
      ['answers the session with these statuses', 'settledStatuses'],
    ] as const)('%s', (_title, kind) => {
      expectAtLeast(measures.get(way)?.[kind], least[kind])
    })

    it('keeps few recorded answers and a short configuration', () => {
      const { files, lines } = measures.get(way) ?? {}
      expect(files).toBeLessThanOrEqual(least.files)
      expect(lines).toBeLessThanOrEqual(least.lines)
    })
  })

  it('is in the same configuration by both commands, in lines of at most 100 characters', () => {
    const [recorded = '', imported] = ways.map((way) => measures.get(way)?.config)
    expect(recorded).toBe(imported)
    // A text, and a list, stands in one line.
    const long = recorded.split('\n').filter((line) => line.length > 100 && /^[^[]*: \{/.test(line))
    expect(long).toEqual([])
  })

  it('asks 40 questions', () => {
    expect(style.questions).toHaveLength(40)
  })
})

function expectAtLeast(score: Score | undefined, least: number): void {
  const { good, of, others } = score ?? { good: -1, of: 0, others: [...errors, 'no mock'] }
  expect(good, `${good} of ${of}:\n${others.join('\n')}`).toBeGreaterThanOrEqual(least)
}
