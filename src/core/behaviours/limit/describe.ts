import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'
import type { Header } from '../../types/openapi.ts'
import { coverageOf } from '../shared/coverage.ts'
import type { LimitSettings } from './options.ts'

/**
 * Describes what `limit` adds to an operation of the OpenAPI document: the errors 429, 503 and 504, and
 * headers.
 */
export function describeLimit(
  { rate, page, timeout, only }: LimitSettings,
  operation: OperationFacts,
): OperationDescription | undefined {
  if (coverageOf(only, operation) === 'none') return undefined
  const isList = operation.kind === 'collection' && operation.method === 'GET'
  return {
    ...(page && isList && { notes: [`A page has at most ${page.max} records.`] }),
    ...(rate && { headers: rateHeaders }),
    errors: {
      ...(rate && { 429: `More than ${rate.requests} requests in ${rate.window / 1000} s.` }),
      ...(timeout && {
        [timeout.status]: `The response took longer than ${timeout.milliseconds / 1000} s.`,
      }),
    },
    headersOf: {
      ...(rate && { 429: retryAfter }),
      ...(timeout?.status === 503 && { 503: retryAfter }),
    },
  }
}

const text = { type: 'string' }

const rateHeaders: Readonly<Record<string, Header>> = {
  'RateLimit-Policy': { description: 'The limits: `"default";q=100;w=60`.', schema: text },
  RateLimit: { description: 'The remaining requests: `"default";r=99;t=60`.', schema: text },
}

const retryAfter: Readonly<Record<string, Header>> = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
}
