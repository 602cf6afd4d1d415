import { MockError } from '../../errors/mock-error.ts'
import type { Params } from '../../url/params.ts'
import { type RequestParameters, oauthError, scopeIn } from './errors.ts'
import type { OidcClient, OidcSettings } from './options.ts'

/** The checked parameters of an authorization request (OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest {
  client: string
  redirectUri: string
  responseMode: ResponseMode
  state: string | undefined
  scope: string
  nonce: string | undefined
  /** The S256 challenge of PKCE (RFC 7636 §4.3). */
  challenge: string | undefined
  prompts: readonly string[]
  /** Seconds. */
  maxAge: number | undefined
  loginHint: string | undefined
  idTokenHint: string | undefined
  audience: string | undefined
  isOffline: boolean
  params: Params
}

/** How the parameters of the response are returned to the client. */
export type ResponseMode = (typeof responseModes)[number]

/** The response modes, for discovery. */
export const responseModes = ['query', 'fragment', 'form_post', 'web_message'] as const

/** The prompts, for discovery. */
export const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account']

/** The client and the address of its redirect, which are checked before anything is sent to that address. */
export type ReturnAddress = Pick<
  AuthorizationRequest,
  'client' | 'redirectUri' | 'responseMode' | 'state'
>

/** Checks the client and its redirect address. @throws MockError 400 that a page shows: a redirect would be open */
export function toReturnAddress(
  { clients }: OidcSettings,
  parameters: RequestParameters,
): ReturnAddress {
  const client = parameters.get('client_id')
  if (client === undefined) throw refused('the parameter client_id is missing')
  const known = clients && findClient(clients, client)
  if (clients && !known) throw unknownClient(client)
  const registered = known?.redirect_uris
  const redirectUri = parameters.get('redirect_uri')
  if (redirectUri === undefined) throw refused('the parameter redirect_uri is missing')
  if (registered ? !isRegistered(redirectUri, registered) : !isLoopback(redirectUri)) {
    throw refused(
      registered
        ? `the redirect_uri "${redirectUri}" is none of the redirect_uris of the client "${client}"`
        : `the redirect_uri "${redirectUri}" is not on a loopback address, such as http://localhost:5173. Please list the client with its redirect_uris in "clients" of "oidc"`,
    )
  }
  const repeated = ['client_id', 'redirect_uri'].find((name) => name === parameters.repeated)
  if (repeated !== undefined) throw refused(`the parameter ${repeated} is repeated`)
  const mode = responseModes.find((one) => one === parameters.get('response_mode')) ?? 'query'
  return { client, redirectUri, responseMode: mode, state: parameters.get('state') }
}

/** Checks the other parameters. @throws MockError that is returned to the client */
export function toAuthorizationRequest(
  { clients }: OidcSettings,
  parameters: RequestParameters,
  address: ReturnAddress,
): AuthorizationRequest {
  const { get, repeated, all } = parameters
  const type = get('response_type')
  const mode = get('response_mode')
  const challenge = get('code_challenge')
  const method = get('code_challenge_method')
  const maxAge = get('max_age')
  const prompted = (get('prompt') ?? '').split(' ').filter(Boolean)
  const wrongPrompt = prompted.find((one) => !prompts.includes(one))
  const isMixed = prompted.includes('none') && prompted.length > 1
  const foreign = unsupported.find((name) => get(name) !== undefined)
  const isWrongMode = mode !== undefined && mode !== address.responseMode
  const known = clients && findClient(clients, address.client)
  const isPublic = known !== undefined && !isConfidential(known)
  const hasChallenge = challenge !== undefined
  const isDigest = hasChallenge && /^[\w-]{43}$/.test(challenge)
  const isNumber = maxAge === undefined || /^\d{1,12}$/.test(maxAge)
  const rules: [isBroken: boolean, description: string, code?: string][] = [
    [repeated !== undefined, `The parameter ${repeated} is repeated.`],
    [
      foreign !== undefined,
      `The parameter ${foreign} is not supported.`,
      `${foreign}_not_supported`,
    ],
    [type === undefined, 'The parameter response_type is missing.'],
    [type !== 'code', `The response_type has to be code, not ${type}.`, unsupportedType],
    [isWrongMode, `The response_mode has to be one of ${responseModes.join(', ')}.`],
    [!hasChallenge && method !== undefined, 'The parameter code_challenge is missing.'],
    [!hasChallenge && isPublic, 'A client without a secret has to send a code_challenge.'],
    [hasChallenge && method !== 'S256', 'The code_challenge_method has to be S256.'],
    [hasChallenge && !isDigest, 'The code_challenge has to be a SHA-256 digest in base64url.'],
    [wrongPrompt !== undefined, `There is no prompt ${wrongPrompt}.`],
    [isMixed, 'The prompt none cannot be combined with others.'],
    [!isNumber, 'The max_age has to be a number of seconds.'],
  ]
  const [, description, code = 'invalid_request'] = rules.find(([isBroken]) => isBroken) ?? []
  if (description !== undefined) throw oauthError(code, description)
  return {
    ...address,
    scope: scopeIn(get),
    nonce: get('nonce'),
    challenge,
    prompts: prompted,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    loginHint: get('login_hint'),
    idTokenHint: get('id_token_hint'),
    audience: get('audience') ?? get('resource'),
    isOffline: get('access_type') === 'offline',
    params: all,
  }
}

/** Parameters that the provider does not support; their errors end in `_not_supported` (OpenID Connect Core §3.1.2.6). */
const unsupported = ['request', 'request_uri', 'registration']
const unsupportedType = 'unsupported_response_type'

/** Returns the client of an id. */
export function findClient(clients: readonly OidcClient[], id: string): OidcClient | undefined {
  return clients.find((one) => one.client_id === id)
}

/** Whether a client has credentials; one without has to use PKCE. */
export function isConfidential({ client_secret: secret, jwks }: OidcClient): boolean {
  return secret !== undefined || jwks !== undefined
}

/** Whether an address is one of those registered; one on a loopback address matches with any port (RFC 8252 §7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const portless = withoutPort(uri)
  return portless !== undefined && registered.some((one) => withoutPort(one) === portless)
}

/** Removes the port of a URL on a loopback address; returns undefined for any other. */
function withoutPort(uri: string): string | undefined {
  const [whole, scheme = '', host = ''] = loopback.exec(uri) ?? []
  return whole === undefined ? undefined : scheme + host + uri.slice(whole.length)
}

/** Whether a URL leads to this machine, for any client (RFC 8252 §7.3), and has no fragment. */
export function isLoopback(uri: string): boolean {
  return loopback.test(uri) && /^[!-~]+$/.test(uri) && !/[#\\]/.test(uri)
}

const loopback =
  /^(https?:\/\/)((?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?=[/?]|$)/i

/** Returns scheme and authority of a URL. */
export function originOf(uri: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(uri)?.[0] ?? uri
}

/** Creates the error for a client that the option `clients` does not list. */
export function unknownClient(client: string): MockError {
  return refused(`there is no client "${client}" in "clients" of "oidc"`)
}

/** Creates the error that a page shows. */
export function refused(reason: string, status = 400): MockError {
  return new MockError(`Failed to log in: ${reason}.`, { status, code: 'LOGIN_REFUSED' })
}

/** Adds parameters to the query of a URL, or to its fragment. */
export function withParameters(
  uri: string,
  values: Readonly<Record<string, string | undefined>>,
  isFragment = false,
): string {
  const query = Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    .join('&')
  const mark = isFragment ? '#' : uri.includes('?') ? '&' : '?'
  return query === '' ? uri : uri + mark + query
}
