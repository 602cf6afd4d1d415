import type { Exception } from './harness/run.ts'

/** What tells that a difference is one of the dialect's table, by the name of its row. */
export const exceptions0: readonly Exception[] = [
  {
    name: 'server error',
    covers: ({ reference, subject }) => reference.status >= 500 && subject.status < 500,
  },
  {
    name: 'body of another type',
    covers: ({ request, reference, subject }) =>
      reference.status < 300 &&
      request.body !== undefined &&
      !isReadable(request.headers?.['content-type'] ?? '') &&
      (subject.status === 415 || (request.headers?.['content-type'] ?? '') === ''),
  },
  {
    name: 'list as record',
    covers: ({ request, reference, subject }) =>
      reference.status < 300 &&
      subject.status === 400 &&
      /^\s*\[/.test(request.body ?? '') &&
      /must|array/.test(subject.text),
  },
  {
    name: 'kind of id',
    covers: ({ request, reference, subject }) =>
      reference.status === 201 &&
      subject.status === 400 &&
      /"id":(?:true|\[|\{)/.test(request.body ?? ''),
  },
  {
    name: 'values',
    covers: ({ request, subject }) =>
      subject.status === 404 && request.method !== 'GET' && /\/colors\b/i.test(request.path),
  },
  {
    name: 'pattern',
    covers: ({ reference, subject }) =>
      reference.status < 300 && subject.status === 400 && /lookaround/.test(subject.text),
  },
  {
    name: 'callback',
    covers: ({ reference }) =>
      reference.headers['content-type']?.startsWith('text/javascript') === true,
  },
]

function isReadable(type: string): boolean {
  return /^(?:application\/json|application\/x-www-form-urlencoded)\s*(?:;|$)/i.test(type)
}
