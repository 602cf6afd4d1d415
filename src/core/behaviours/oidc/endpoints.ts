import { bearerOf, type MockResponse } from '../../http/contract/messages.ts'
import { drawNew } from '../auth/logins.ts'
import { deviceGrantType } from './authorize.ts'
import { claimNames, scopesOf } from './claims.ts'
import { readParameters, tokenError } from './errors.ts'
import { answerPage, messagePage, scriptPage, toScript } from './pages.ts'
import type { Endpoints } from './options.ts'
import type { Provider } from './provider.ts'
import {
  findClient,
  isLoopback,
  isRegistered,
  originOf,
  prompts,
  refused,
  responseModes,
  withParameters,
} from './request.ts'
import { assertionAlgorithms, keySet } from './signing.ts'
import { endTokens } from './state.ts'

/** Creates the other endpoints: the metadata, the keys, the user info, the logout, and the frames of keycloak-js. */
export function createEndpoints(provider: Provider): OtherEndpoints {
  const { settings, state, users, signer, world, sessionOf, toCookie } = provider
  const { paths, clients, algorithm, preset } = settings

  /** Whether a logout may redirect to an address: of the client, or without a client of any. */
  function isAllowed(uri: string, client: string | undefined): boolean {
    if (!clients) return isLoopback(uri)
    const known = client === undefined ? undefined : findClient(clients, client)
    return (known ? [known] : clients).some(
      ({ redirect_uris: redirects = [], post_logout_redirect_uris: registered }) =>
        registered
          ? isRegistered(uri, registered)
          : redirects.some((one) => originOf(one) === originOf(uri) || isRegistered(uri, [one])),
    )
  }

  return {
    discovery(exchange) {
      const urlOf = (path: string | undefined): string | undefined =>
        path === undefined ? undefined : provider.urlOf(exchange.origin, path)
      const value = {
        issuer: provider.issuerOf(exchange),
        authorization_endpoint: urlOf(paths.authorize),
        token_endpoint: urlOf(paths.token),
        userinfo_endpoint: urlOf(paths.userinfo),
        jwks_uri: urlOf(paths.jwks),
        end_session_endpoint: urlOf(paths.logout),
        introspection_endpoint: urlOf(paths.introspect),
        revocation_endpoint: urlOf(paths.revoke),
        device_authorization_endpoint: urlOf(paths.device),
        check_session_iframe: urlOf(paths.status),
        response_types_supported: ['code'],
        response_modes_supported: responseModes,
        grant_types_supported: [
          'authorization_code',
          'refresh_token',
          'client_credentials',
          ...(paths.device === undefined ? [] : [deviceGrantType]),
        ],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithm],
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'private_key_jwt',
          'none',
        ],
        token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
        claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'sid', ...claimNames],
        prompt_values_supported: prompts,
        authorization_response_iss_parameter_supported: preset.sendsIssuer,
        request_uri_parameter_supported: false,
      }
      return { status: 200, headers: [], value }
    },

    jwks: () => ({ status: 200, headers: [], value: keySet }),

    async userinfo(exchange) {
      const form = exchange.method === 'POST' ? await readParameters(exchange) : undefined
      const token = bearerOf(exchange) ?? form?.get('access_token')
      if (token === undefined) throw tokenError(undefined, 'The access token is missing.')
      const found = await provider.verify(token)
      if (found === 'expired') throw tokenError('invalid_token', 'The access token has expired.')
      const user = found?.userId === undefined ? undefined : users.get(found.userId, exchange)
      if (!found || !user) throw tokenError('invalid_token', 'The access token is unknown.')
      if (!scopesOf(found.scope).includes('openid')) {
        throw tokenError('insufficient_scope', 'The access token lacks the scope openid.', 403)
      }
      const value = provider.claimsOf(found, user, exchange.origin)
      return { status: 200, headers: [], value }
    },

    async logout(exchange) {
      const { get } = await readParameters(exchange)
      const hint = get('id_token_hint')
      const read = hint === undefined ? undefined : await signer.verify(hint)
      if (hint !== undefined && !read)
        throw refused('the id_token_hint is no token of this provider')
      const { aud, sid } = read?.claims ?? {}
      const client = get('client_id') ?? (typeof aud === 'string' ? aud : undefined)
      if (read && aud !== client) throw refused('the id_token_hint is one of another client')
      const redirect = logoutRedirects.map(get).find((uri) => uri !== undefined)
      if (redirect !== undefined && !isAllowed(redirect, client)) {
        throw refused(
          `the address "${redirect}" is none to which a logout may redirect. Please add it to "post_logout_redirect_uris" of the client`,
        )
      }
      const ended = [sessionOf(exchange).session?.sid, sid]
      for (const [value, session] of state.sessions) {
        if (ended.includes(session.sid)) state.sessions.delete(value)
      }
      endTokens(state, (grant) => grant.sid !== '' && ended.includes(grant.sid))
      const cookie = toCookie(exchange, '', 0)
      if (redirect === undefined) {
        const html = messagePage('Logged out', 'You are logged out at the mock.')
        return answerPage(200, html, { headers: [cookie] })
      }
      const location = withParameters(redirect, { state: get('state') })
      return { status: 303, headers: [['Location', location], cookie], body: null }
    },

    cookieCheck: () => frame("parent.postMessage('supported', '*')"),

    status(exchange) {
      const init = toScript(exchange.service.base + (paths.statusInit ?? ''))
      return frame(`addEventListener('message', async ({ data, source, origin }) => {
  const [client, session = ''] = String(data).split(' ')
  const query = new URLSearchParams({ client_id: client, origin, session_state: session })
  const response = await fetch(${init} + '?' + query).catch(() => undefined)
  source.postMessage(response === undefined ? 'error' : response.ok ? 'unchanged' : 'changed', origin)
})`)
    },

    async statusInit(exchange) {
      const { get } = await readParameters(exchange)
      const isSame = get('session_state') === sessionOf(exchange).session?.sid
      return { status: isSame ? 204 : 403, headers: [], body: null }
    },
  }

  /** Answers with a page for a hidden frame of the clients, which shows nothing and sets nothing. */
  function frame(script: string): MockResponse {
    const nonce = drawNew(world.random, 16, new Map())
    const registered = (clients ?? []).flatMap(({ redirect_uris: uris = [] }) => uris.map(originOf))
    const frames = [...new Set(registered.filter((one) => one.startsWith('http'))), loopbackPages]
    return answerPage(200, scriptPage(script, nonce), { nonce, frames: frames.join(' ') })
  }
}

const loopbackPages =
  'http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*'

type OtherEndpoints = Endpoints<
  'discovery' | 'jwks' | 'userinfo' | 'logout' | 'cookieCheck' | 'status' | 'statusInit'
>

/** The parameter for the redirect after a logout, with its names at Auth0, Cognito and older Keycloaks. */
const logoutRedirects = ['post_logout_redirect_uri', 'returnTo', 'logout_uri', 'redirect_uri']
