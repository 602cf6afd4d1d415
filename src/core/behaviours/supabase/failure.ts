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
    const { error } = problem.extensions
    const code = typeof error === 'string' ? error : usualErrors[problem.code]
    return { headers: problem.headers, ...toAnswer(code ?? 'validation_failed', problem) }
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

/** The refusals of the Auth server, by code. */
const refusals = {
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature, or the token is expired'],
  email_address_invalid: [400, 'Unable to validate email address: invalid format'],
  email_exists: [422, 'A user with this email address has already been registered'],
  email_not_confirmed: [400, 'Email not confirmed'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  invalid_credentials: [400, 'Invalid login credentials'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  not_admin: [403, 'User not allowed'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  otp_expired: [403, 'Token has expired or is invalid'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  same_password: [422, 'New password should be different from the old password.'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  user_already_exists: [422, 'User already registered'],
  user_not_found: [403, 'User from sub claim in JWT does not exist'],
  weak_password: [422, 'Password should be at least 6 characters.'],
} as const

/** Creates the error of the Auth server with a code. @default status that of the table */
export function refuse(code: keyof typeof refusals, status?: number): MockError {
  const [usual, message] = refusals[code]
  return failure(status ?? usual, code, message)
}
