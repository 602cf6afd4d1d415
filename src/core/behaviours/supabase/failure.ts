import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { type MaybePromise, type MockResponse, tryOr } from '../../http/contract/messages.ts'

/** Creates an error of Supabase with its code, such as `invalid_credentials`. */
export function failure(status: number, error: string, message: string): MockError {
  return new MockError(message, { status, code: 'SUPABASE_ERROR', extensions: { error } })
}

/** Runs an endpoint; `toAnswer` makes the status and the body of an error from its code. */
export function answerFailures(
  exchange: Exchange,
  run: () => MaybePromise<Answer | MockResponse>,
  toAnswer: (error: string, problem: MockError) => Pick<Answer, 'status' | 'value'>,
): MaybePromise<Answer | MockResponse> {
  return tryOr(run, (problem) => {
    if (!(problem instanceof MockError)) throw problem
    exchange.reasons.push(problem.message)
    const error = problem.extensions['error'] ?? usualErrors[problem.code] ?? 'validation_failed'
    return { headers: problem.headers, ...toAnswer(String(error), problem) }
  })
}

/** The codes of Supabase for errors of the mock. */
const usualErrors: Readonly<Record<string, string>> = {
  BODY_INVALID: 'bad_json',
  FORBIDDEN: 'Unauthorized',
  UNAUTHORIZED: 'Unauthorized',
  FILE_TOO_LARGE: 'Payload too large',
  BODY_TOO_LARGE: 'Payload too large',
  FILE_TYPE: 'invalid_mime_type',
}
