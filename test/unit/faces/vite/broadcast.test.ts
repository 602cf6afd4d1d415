import { resolve } from 'node:path'

import { expect, it } from 'vitest'

import type { Diagnostic } from '../../../../src/core/fixtures/source.ts'
import { toErrorOverlay } from '../../../../src/faces/vite/broadcast.ts'

const broken: Diagnostic = {
  severity: 'error',
  file: 'fixtures/a.json',
  message: 'Failed to load "fixtures/a.json": it ends too soon.',
  advice: 'Please close it.',
  line: 2,
  column: 3,
  frame: '> 2 | [{',
}
const bare: Diagnostic = {
  severity: 'error',
  file: '/b.json',
  message: 'Failed to load "/b.json".',
}
const common = { plugin: 'fixtura', stack: '' }

const rows: [title: string, errors: Diagnostic[], expected: object | undefined][] = [
  ['nothing', [], undefined],
  [
    'one with its place',
    [broken],
    {
      ...common,
      message: `${broken.message}\n\nPlease close it.`,
      id: resolve('/app/fixtures/a.json'),
      frame: '> 2 | [{',
      loc: { file: resolve('/app/fixtures/a.json'), line: 2, column: 3 },
    },
  ],
  [
    'one of a whole line',
    [{ ...bare, line: 4 }],
    {
      ...common,
      message: bare.message,
      id: resolve('/b.json'),
      loc: { file: resolve('/b.json'), line: 4, column: 1 },
    },
  ],
  [
    'the first with its place, and others as text',
    [bare, broken],
    {
      ...common,
      message: `${bare.message}\n\nfixtures/a.json:2:3 error\n${broken.message} Please close it.\n\n> 2 | [{`,
      id: resolve('/b.json'),
    },
  ],
]

it.each(rows)('shows %s', (_title, errors, err) => {
  expect(toErrorOverlay(errors, '/app')).toEqual(err && { type: 'error', err })
})
