import { exceptions1 } from './exceptions-1.ts'
import type { PeerRequest } from './harness/exchange.ts'
import type { Exception } from './harness/run.ts'

const single = ['_sort', '_start', '_end', '_limit', '_page', '_per_page']

/** What tells that a difference is one of the dialect's table, by the name of its row. */
export const exceptions1Beta: readonly Exception[] = [
  ...exceptions1.filter(({ name }) => name === 'server error'),
  {
    name: 'repeated parameter',
    covers: ({ request }) => {
      const names = [...new URLSearchParams(request.path.split('?')[1]).keys()]
      return single.some((name) => names.filter((one) => one === name).length > 1)
    },
  },
  {
    name: 'singleton patch',
    covers: ({ request, reference, subject }) => {
      if (request.method !== 'PATCH' || reference.status !== 200 || subject.status !== 200) {
        return false
      }
      const { item, ...sent } = JSON.parse(reference.text) as Record<string, unknown>
      const merged = { ...(item as object), ...sent }
      return JSON.stringify(merged) === JSON.stringify(JSON.parse(subject.text))
    },
  },
  {
    name: 'sent id',
    covers: ({ request, reference }) => {
      const id = request.method === 'POST' && reference.status === 201 ? sentId(request) : undefined
      return id !== undefined && typeof id !== 'number' && (typeof id !== 'string' || id === '')
    },
  },
  {
    name: 'existing id',
    covers: ({ reference, subject }) => reference.status === 201 && subject.status === 409,
  },
  {
    name: 'number as id',
    covers: ({ request, reference, subject }) =>
      reference.status === 404 &&
      subject.status === 200 &&
      /\/-?[\d.]+\/?(?:\?|$)/.test(request.path),
  },
  {
    name: 'list as body',
    covers: ({ request, subject }) => subject.status === 404 && /^\s*\[/.test(request.body ?? ''),
  },
  {
    name: 'value',
    covers: ({ request, reference, subject }) =>
      ['PUT', 'PATCH'].includes(request.method) &&
      reference.status === 200 &&
      subject.status === 404,
  },
]

function sentId({ body = '' }: PeerRequest): unknown {
  try {
    return (JSON.parse(body) as { id?: unknown }).id
  } catch {
    return undefined
  }
}
