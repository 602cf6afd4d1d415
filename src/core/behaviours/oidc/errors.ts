import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { mediaType } from '../../http/resource/body.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { redacted } from '../../log/redact.ts'
import { type Params, parseParams } from '../../url/params.ts'

/** Reads the parameters of a request to an endpoint: the form of a POST, else the query. */
export function readParameters(exchange: Exchange): MaybePromise<RequestParameters> {
  const { request, method, service, params } = exchange
  if (method !== 'POST') return toParameters(params)
  return andThen(request.text(service.limits.maxBody), (text) => {
    if (text === '') return toParameters(params)
    if (mediaType(request) !== 'application/x-www-form-urlencoded') {
      throw oauthError(
        'invalid_request',
        'The body is no form. Please send it with "Content-Type: application/x-www-form-urlencoded".',
      )
    }
    const form = readForm(text, service.limits.maxParams)
    // The log redacts most secrets by name, but a field named `code` is usually no secret.
    exchange.body = Object.fromEntries(
      form.map(([name, value]) => [name, name === 'code' ? redacted : value]),
    )
    return toParameters(form)
  })
}

function readForm(text: string, maxParams: number): Params {
  try {
    return parseParams(`?${text}`, maxParams)
  } catch (error) {
    throw oauthError('invalid_request', error instanceof MockError ? error.message : String(error))
  }
}

/** The parameters of a request. A parameter without a value counts as left out (RFC 6749 §3.1). */
export interface RequestParameters {
  get(name: string): string | undefined
  /** A parameter that is repeated, which RFC 6749 §3.1 forbids; `resource` and `audience` may repeat. */
  repeated: string | undefined
  all: Params
}

function toParameters(all: Params): RequestParameters {
  const names = all.map(([name]) => name)
  return {
    get: (wanted) => all.find(([name, value]) => name === wanted && value !== '')?.[1],
    repeated: names.find(
      (name, at) => names.indexOf(name) !== at && name !== 'resource' && name !== 'audience',
    ),
    all,
  }
}

/** Returns the scope of a request (RFC 6749 §3.3). @throws MockError for other characters */
export function scopeIn(get: RequestParameters['get']): string {
  const scope = get('scope') ?? ''
  if (/^[ !#-[\]-~]*$/.test(scope)) return scope
  throw oauthError('invalid_scope', 'The scope has characters that no scope can have.')
}

/** Creates an error of OAuth 2.0 with its code, such as `invalid_grant`, in the characters of RFC 6749 §5.2. */
export function oauthError(
  error: string,
  description: string,
  { status = 400, headers = [] }: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): MockError {
  return new MockError(description.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7E]/g, '?'), {
    status,
    code: 'OAUTH_ERROR',
    headers,
    extensions: { error },
  })
}

/** Creates the error 401 for a missing or wrong token (RFC 6750 §3). */
export function tokenError(
  error: string | undefined,
  description: string,
  status = 401,
): MockError {
  const parameters =
    error === undefined ? '' : `, error="${error}", error_description="${description}"`
  return oauthError(error ?? 'invalid_request', description, {
    status,
    headers: [['WWW-Authenticate', `Bearer realm="mock"${parameters}`]],
  })
}

/** Returns the code and the description of an error that `oauthError` has created; undefined for others. */
export function toOauth(error: unknown): OauthFailure | undefined {
  if (!(error instanceof MockError) || error.code !== 'OAUTH_ERROR') return undefined
  return { error: String(error.extensions['error']), error_description: error.message }
}

/** The members of an error response (RFC 6749 §5.2). */
type OauthFailure = Record<'error' | 'error_description', string>

/** Answers with an error of OAuth 2.0 as JSON. Rethrows any other error. */
export function answerFailure(exchange: Exchange, error: unknown): Answer {
  const failure = toOauth(error)
  if (!failure || !(error instanceof MockError)) throw error
  exchange.reasons.push(`${failure.error}: ${failure.error_description}`)
  return { status: error.status, headers: error.headers, value: failure }
}
