import { differsByMissingParent } from './harness/missing-parent.ts'
import type { Exception } from './harness/run.ts'

/** What tells that a difference is one of the dialect's table, by the name of its row. */
export const exceptions1: readonly Exception[] = [
  {
    name: 'server error',
    covers: ({ reference, subject }) => reference.status >= 500 && subject.status < 500,
  },
  {
    name: 'head',
    covers: ({ request, reference }) => request.method === 'HEAD' && reference.status === 400,
  },
  { name: 'missing parent', covers: differsByMissingParent },
]
