import { codeOf, toMessage } from '../core/errors/error-details.ts'
import { type FieldErrors, MockError } from '../core/errors/mock-error.ts'
import { sessionHeader } from '../core/text/session-name.ts'
import { controlHeader, controlPath } from '../core/url/control-path.ts'

/** Creates the client of the control API, which throws the errors that local calls throw. */
export function createClient(
  origin: string,
  { session, token, fetch: own }: ClientOptions,
): Client {
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (session !== undefined) headers[sessionHeader] = session
  if (token) headers['Authorization'] = `Bearer ${token}`
  return {
    origin,
    async send<Value>(method: string, path: string, input?: unknown) {
      const address = `${origin}${controlPath}/${path}`
      const body = input === undefined ? undefined : JSON.stringify(input)
      const init =
        body === undefined
          ? { method, headers }
          : { method, headers: { ...headers, 'Content-Type': 'application/json' }, body }
      const { fetch = own } = own ? {} : globalThis
      if (!fetch) throw noFetch()
      const [response, text] = await fetch(address, init)
        .then(async (answered) => [answered, await answered.text()] as const)
        .catch((error: unknown) => {
          throw unreachable(origin, error)
        })
      const [name, value] = controlHeader
      if (response.headers.get(name) !== value) throw noMock(`${method} ${address}`, response)
      const answer: unknown = JSON.parse(text)
      if (response.ok) return answer as Value
      throw toError(answer as Problem, origin)
    },
  }
}

/** Sends requests to the control API of one running mock. */
export interface Client {
  origin: string
  /** Sends a request below `/__mock`. @throws MockError if it is refused, or no mock answers */
  send<Value>(method: string, path: string, input?: unknown): Promise<Value>
}

interface ClientOptions {
  session?: string | undefined
  token?: string | undefined
  fetch?: Fetch | undefined
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface Problem {
  type: string
  title: string
  detail: string
  status: number
  code: string
  message: string
  errors?: FieldErrors
}

/** Creates the error that the local call throws: an invalid option has a status only on the wire. */
function toError(problem: Problem, origin: string): MockError {
  const { type: _type, title: _title, detail: _detail, ...facts } = problem
  const { status, code, message, errors, ...extensions } = facts
  if (code === 'TOKEN_MISSING') {
    return new MockError(
      `Failed to control the mock at "${origin}": the token is missing or wrong. Please give the token that the server prints at its start: connect(url, { token }).`,
      { status, code },
    )
  }
  const sent = code === 'CONFIG_INVALID' ? {} : { status }
  return new MockError(message, { code, errors, extensions, ...sent })
}

function unreachable(origin: string, cause: unknown): MockError {
  const { cause: inner } = cause as { cause?: unknown }
  const code = codeOf(inner) || codeOf(cause)
  if (isUntrusted.test(code)) {
    return new MockError(
      `Failed to reach the mock at "${origin}": its certificate is not trusted (${code}). Please name the file of the certificate by NODE_EXTRA_CA_CERTS if the mock has one (--cert), run the tests with NODE_TLS_REJECT_UNAUTHORIZED=0, or give a "fetch" that accepts the certificate: connect(url, { fetch }).`,
      { code: 'MOCK_UNTRUSTED', cause },
    )
  }
  const { location } = globalThis as { location?: { origin: string } }
  // A browser does not tell a page why it may not read a response.
  const isForeign = code === '' && location && location.origin !== origin
  const hint = isForeign ? ' A page can only control a mock of its own origin.' : ''
  return new MockError(
    `Failed to reach the mock at "${origin}": ${code || toMessage(inner ?? cause)}. Please start it, for example with "npx mock server", or check the URL.${hint}`,
    { code: 'MOCK_UNREACHABLE', cause },
  )
}

/** Matches the codes of Node for certificates that are self-signed, expired, or of another host. */
const isUntrusted = /CERT|UNABLE_TO_VERIFY/

function noMock(request: string, { status, headers }: Response): MockError {
  const type = headers.get('content-type')
  const answered = type === null ? `${status}` : `${status} "${type}"`
  return new MockError(
    `Failed to control the mock: ${request} got ${answered}, which is no response of a mock. Please give the URL that "mock server" prints.`,
    { code: 'MOCK_UNKNOWN' },
  )
}

function noFetch(): MockError {
  return new MockError(
    'Failed to control the mock: there is no "fetch" here. Please give one: connect(url, { fetch }).',
    { code: 'FETCH_MISSING' },
  )
}

/** Whether JSON can represent a value: no undefined, functions, symbols, big integers and NaN. */
export function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return ['string', 'boolean', 'object'].includes(typeof value)
}
