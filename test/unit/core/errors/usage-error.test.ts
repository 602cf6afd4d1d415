import { expect, it } from 'vitest'

import { placeOf } from '../../../../src/core/errors/usage-error.ts'

const rows: [title: string, frames: string[], place: string | undefined][] = [
  ['a module', ['    at f (file:///app/mock.config.mjs:3:5)'], '/app/mock.config.mjs:3:5'],
  [
    'a module with a query',
    ['    at GET /pots (file:///app/mock.config.mjs?v=config-1:14:38)'],
    '/app/mock.config.mjs:14:38',
  ],
  ['an asynchronous function', ['    at async /app/routes.cjs:3:5'], '/app/routes.cjs:3:5'],
  ['Windows', [String.raw`    at f (C:\app\routes.cjs:3:5)`], 'C:/app/routes.cjs:3:5'],
  [
    'Firefox',
    ['f@http://localhost:5173/src/mock.ts?t=17:3:5'],
    'http://localhost:5173/src/mock.ts:3:5',
  ],
  [
    'the first frame outside of dependencies',
    [
      '    at Object.get (file:///app/node_modules/fixtura/dist/index.js:1:2)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      '    at f (/app/routes.js:3:5)',
    ],
    '/app/routes.js:3:5',
  ],
  ['no place', ['    at f (<anonymous>)'], undefined],
]

it.each(rows)('reads %s from a stack', (_, frames, place) => {
  const error = Object.assign(new Error('No.'), { stack: ['Error: No.', ...frames].join('\n') })
  expect(placeOf(error)).toBe(place)
})

it('reads no place from the message, however long it is', () => {
  expect(placeOf(new Error('No.\n    at f (/app/message.js:3:5)'))).not.toContain('message.js')
  expect(placeOf(new Error('@/'.repeat(200_000)))).not.toContain('@/@/')
})

it('has no place for what is no error', () => {
  expect(placeOf('No.')).toBe(undefined)
})
