import type { Exchange } from '../../http/contract/exchange.ts'
import type { HeaderList, MockResponse } from '../../http/contract/messages.ts'
import { isSameOrigin } from '../../http/cors/access.ts'
import type { JsonRecord } from '../../json/json.ts'
import { addExpiring, drawNew } from '../auth/logins.ts'
import { toProfile } from './claims.ts'
import { oauthError, readParameters, type RequestParameters, toOauth } from './errors.ts'
import {
  answerPage,
  codePage,
  formPostPage,
  listedUsers,
  loginPage,
  messagePage,
  searchName,
  webMessagePage,
} from './pages.ts'
import type { Provider } from './provider.ts'
import type { Endpoints } from './options.ts'
import {
  type AuthorizationRequest,
  isLoopback,
  originOf,
  refused,
  type ReturnAddress,
  toAuthorizationRequest,
  toReturnAddress,
  withParameters,
} from './request.ts'
import type { ProviderSession } from './state.ts'

/** Creates the endpoints that a browser visits: authorization, the login page, and the page for devices. */
export function createLoginEndpoints(
  provider: Provider,
): Endpoints<'authorize' | 'page' | 'verify'> {
  const { settings, state, users, world, signer, sessionOf, startSession, toCookie, toGrant } =
    provider
  const { paths, preset, refreshExpires, auto } = settings
  const { clock, random } = world

  /** Logs a user in at the provider. The cookie gets a new value, so that no page can choose it. */
  function logIn(exchange: Exchange, user: JsonRecord): [ProviderSession, HeaderList] {
    const { browser } = sessionOf(exchange)
    if (browser !== undefined) state.sessions.delete(browser)
    const [value, session] = startSession(user)
    return [session, [toCookie(exchange, value, Math.floor(refreshExpires / 1000))]]
  }

  /** Returns the response of the authorization to the client, in its response mode (RFC 6749 §4.1.2, RFC 9207). */
  function respond(
    exchange: Exchange,
    { redirectUri, responseMode, state }: ReturnAddress,
    values: Readonly<Record<string, string | undefined>>,
    headers: HeaderList = [],
  ): MockResponse {
    const iss = preset.sendsIssuer ? provider.issuerOf(exchange) : undefined
    const all = { state, ...values, iss }
    const nonce = drawNew(random, 16, new Map())
    const target = originOf(redirectUri)
    if (responseMode === 'form_post') {
      return answerPage(200, formPostPage(redirectUri, all, nonce), { nonce, headers })
    }
    if (responseMode === 'web_message') {
      const html = webMessagePage(target, all, nonce)
      return answerPage(200, html, { nonce, headers, frames: target })
    }
    const location = withParameters(redirectUri, all, responseMode === 'fragment')
    return {
      status: 303,
      headers: [['Location', location], ['Referrer-Policy', 'no-referrer'], ...headers],
      body: null,
    }
  }

  function fail(exchange: Exchange, address: ReturnAddress, error: unknown): MockResponse {
    const failure = toOauth(error)
    if (!failure) throw error
    exchange.reasons.push(`${failure.error}: ${failure.error_description}`)
    return respond(exchange, address, { ...failure })
  }

  function finish(
    exchange: Exchange,
    request: AuthorizationRequest,
    session: ProviderSession,
    headers: HeaderList = [],
    lifetime = codeLifetime,
  ): MockResponse {
    const now = clock.now()
    const code = drawNew(random, 40, state.codes)
    const { redirectUri, challenge } = request
    const issued = { redirectUri, challenge, expires: now + lifetime, isUsed: false }
    const grant = toGrant('authorization_code', request, session)
    addExpiring(state.codes, code, { ...grant, ...issued, due: now + reuseWindow }, now)
    const extra = preset.refreshToken === 'jwt' ? { session_state: session.sid } : {}
    return respond(exchange, request, { code, ...extra }, headers)
  }

  /** Shows the login page for an authorization request or the code of a device. */
  function showPage(
    exchange: Exchange,
    subject: PageSubject,
    parameters: RequestParameters,
  ): MockResponse {
    const { browser } = sessionOf(exchange)
    const now = clock.now()
    const value = browser ?? drawNew(random, 32, state.sessions)
    const token = drawNew(random, 32, state.pages)
    addExpiring(state.pages, token, { ...subject, browser: value, due: now + pageLifetime }, now)
    const everyone = users.all(exchange).map((user) => {
      const id = users.idOf(user)
      return { id, ...toProfile(user, id) }
    })
    const query = parameters.get(searchName) ?? subject.request?.loginHint ?? ''
    const words = query.toLowerCase().split(/\s+/)
    const hasSearch = everyone.length > listedUsers
    const matching = everyone.filter(({ id, name, email = '', username = '' }) => {
      const text = `${id} ${name} ${email} ${username}`.toLowerCase()
      return !hasSearch || words.every((word) => text.includes(word))
    })
    const cookie = browser === undefined ? [toCookie(exchange, value, pageLifetime / 1000)] : []
    const at = exchange.service.base
    const html = loginPage({
      client: subject.request?.client ?? (subject.device ? 'A device' : 'The mock'),
      users: matching.slice(0, listedUsers),
      total: matching.length,
      token,
      action: at + paths.page,
      search: hasSearch
        ? {
            action: exchange.path,
            params: parameters.all,
            query,
          }
        : undefined,
      outcomes: Object.entries(outcomes).slice(0, subject.request ? 3 : subject.device ? 1 : 0),
    })
    return answerPage(200, html, { headers: cookie })
  }

  /** Whether a page outside of this machine and of the clients has sent the browser here. */
  function isForeign({ headers }: Exchange): boolean {
    if (headers['sec-fetch-site'] !== 'cross-site') return false
    const from = originOf(headers['referer'] ?? '')
    const known = (settings.clients ?? []).flatMap((client) => client.redirect_uris ?? [])
    return !isLoopback(from) && !known.some((uri) => originOf(uri) === from)
  }

  async function authorize(exchange: Exchange): Promise<MockResponse> {
    const parameters = await readParameters(exchange)
    const address = toReturnAddress(settings, parameters)
    let request: AuthorizationRequest
    try {
      request = toAuthorizationRequest(settings, parameters, address)
    } catch (error) {
      return fail(exchange, address, error)
    }
    const { prompts, maxAge, loginHint, idTokenHint } = request
    const { session, user } = sessionOf(exchange)
    const hinted = loginHint === undefined ? undefined : provider.userBy(loginHint, exchange)
    const expected = idTokenHint === undefined ? undefined : await signer.verify(idTokenHint)
    const sub = user && provider.subjectOf(users.idOf(user))
    const isMatched =
      (!hinted || (user !== undefined && users.idOf(user) === users.idOf(hinted))) &&
      (!expected || expected.claims['sub'] === sub)
    const isRecent =
      session !== undefined &&
      (maxAge === undefined || clock.now() - session.authTime <= maxAge * 1000)
    if (session && isRecent && isMatched && prompts.every((one) => one === 'none')) {
      return finish(exchange, request, session)
    }
    if (prompts.includes('none')) {
      const error = oauthError('login_required', 'The user has to log in.')
      return fail(exchange, address, error)
    }
    const automatic = auto === undefined ? undefined : provider.userBy(auto, exchange)
    const needsClick = prompts.some((one) => one === 'consent' || one === 'select_account')
    const named = needsClick ? automatic : (hinted ?? automatic)
    if (!named || isForeign(exchange)) return showPage(exchange, { request }, parameters)
    return finish(exchange, request, ...logIn(exchange, named))
  }

  /** Shows the login page of no client, or takes the choice of a login page. Its token and the cookie of the page show that no other page has sent it. */
  async function choose(exchange: Exchange): Promise<MockResponse> {
    const parameters = await readParameters(exchange)
    if (exchange.method !== 'POST') return showPage(exchange, {}, parameters)
    const { get } = parameters
    const { browser } = sessionOf(exchange)
    const token = get('login_token') ?? ''
    const shown = state.pages.get(token)
    const isOwn = shown !== undefined && shown.browser === browser && isSameOrigin(exchange.request)
    if (!isOwn || shown.due <= clock.now()) {
      throw refused(
        'the login page has expired, or another page has sent the form. Please go back to the application, allow cookies, and log in again',
        403,
      )
    }
    state.pages.delete(token)
    const { request, device } = shown
    const outcome = get('outcome')
    const user = users.get(get('user') ?? '', exchange)
    if (device !== undefined)
      return decide(exchange, device, outcome === undefined ? user : undefined)
    if (request && outcome === 'expired_code') {
      const { session = expiredSession } = sessionOf(exchange)
      return finish(exchange, request, session, [], 0)
    }
    if (request && (outcome === 'access_denied' || outcome === 'server_error')) {
      return fail(exchange, request, oauthError(outcome, outcomes[outcome][1]))
    }
    if (!user) throw refused('no user was chosen, or the user is gone', 404)
    const [session, headers] = logIn(exchange, user)
    if (request) return finish(exchange, request, session, headers)
    const html = messagePage('Logged in', 'Applications of the mock log you in without a page.')
    return answerPage(200, html, { headers })
  }

  /** Ends the wait of a device: with the login of a user, or refused. */
  function decide(exchange: Exchange, code: string, user: JsonRecord | undefined): MockResponse {
    const device = state.devices.get(code)
    if (!device || device.due <= clock.now()) throw refused('the code of the device has expired')
    const [session, headers] = user ? logIn(exchange, user) : [undefined, []]
    state.devices.set(code, {
      ...device,
      decision: { grant: session && toGrant(deviceGrantType, device, session) },
    })
    const html = user
      ? messagePage('The device is connected', 'You can close this page.')
      : messagePage('The device is refused', 'You can close this page.')
    return answerPage(200, html, { headers })
  }

  async function verify(exchange: Exchange): Promise<MockResponse> {
    const parameters = await readParameters(exchange)
    const action = exchange.service.base + (paths.verify ?? '')
    const code = parameters.get('user_code')
    if (code === undefined) {
      return answerPage(200, codePage(action, 'Enter the code that the device shows.'))
    }
    const written = toCodeLetters(code)
    const found = [...state.devices].find(
      ([, { userCode, decision, due }]) =>
        toCodeLetters(userCode) === written && !decision && due > clock.now(),
    )
    if (!found)
      return answerPage(404, codePage(action, 'No device waits for this code. Try again.'))
    return showPage(exchange, { device: found[0] }, parameters)
  }

  return { authorize, page: choose, verify }
}

/** The subject of a login page: an authorization request, or the code of a device. */
type PageSubject = { request?: AuthorizationRequest; device?: string }

/** The grant type of devices (RFC 8628 §3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** The lifetimes of a code and of a login page, and how long the reuse of a code is recognized, in milliseconds. */
const codeLifetime = 60_000
const pageLifetime = 30 * 60_000
const reuseWindow = 10 * 60_000

/** The login of a code that has expired before anybody was logged in. */
const expiredSession: ProviderSession = { userId: '', sid: '', authTime: 0, due: 0 }

/** The buttons of the login page for what can go wrong, with the errors; a device can only be refused. */
const outcomes = {
  access_denied: ['Refuse', 'The user has refused the login.'],
  server_error: ['Server error', 'The provider simulates an error.'],
  expired_code: ['Expired code', ''],
} as const

/** The letters and digits of the code of a device, which a user may write in any case and with other signs. */
function toCodeLetters(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
}
