import type { Answer } from '../../dialects/contract/dialect.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { fromBase64 } from '../../text/base64.ts'
import { decodeParam } from '../../url/pattern.ts'
import { addExpiring, drawNew } from '../auth/logins.ts'
import { deviceGrantType } from './authorize.ts'
import { scopesOf } from './claims.ts'
import { oauthError, readParameters, type RequestParameters, scopeIn } from './errors.ts'
import type { Endpoints } from './options.ts'
import type { Provider } from './provider.ts'
import { findClient, isConfidential, withParameters } from './request.ts'
import { isAssertion, sha256 } from './signing.ts'
import { endTokens, type Grant } from './state.ts'

/** Creates the endpoints that clients call with their credentials: tokens, devices, introspection and revocation. */
export function createTokenEndpoints(
  provider: Provider,
): Endpoints<'token' | 'device' | 'introspect' | 'revoke'> {
  const { settings, state, users, world, toGrant } = provider
  const { preset, paths, auto } = settings
  const { clock, random } = world

  /** Returns the client whose credentials a request has (RFC 6749 §2.3). @throws MockError 400 or 401 */
  async function authenticate(
    exchange: Exchange,
    { get, repeated }: RequestParameters,
  ): Promise<AuthenticClient> {
    if (repeated !== undefined) throw invalid(`The parameter ${repeated} is repeated.`)
    const sent = /^basic\s+(\S+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1]
    const text = sent === undefined ? undefined : (fromBase64(sent) ?? '')
    const [inHeader, secretInHeader] = text?.split(/:(.*)/s, 2).map(decodeParam) ?? []
    const assertion = get('client_assertion')
    const ways = [secretInHeader, get('client_secret'), assertion]
    if (ways.filter((way) => way !== undefined).length > 1) {
      throw invalid('The client has authenticated in several ways. Please use one of them.')
    }
    if (assertion !== undefined && get('client_assertion_type') !== assertionType) {
      throw invalid(`The client_assertion_type has to be ${assertionType}.`)
    }
    if (inHeader !== undefined && (get('client_id') ?? inHeader) !== inHeader) {
      throw invalid('The client_id of the body is another than that of the header.')
    }
    const refuse = (description: string): MockError =>
      oauthError('invalid_client', description, {
        status: 401,
        headers: [['WWW-Authenticate', 'Basic realm="mock", charset="UTF-8"']],
      })
    const id = inHeader ?? get('client_id') ?? (assertion && subjectIn(assertion))
    if (id === undefined || id === '') throw refuse('The client_id is missing.')
    const secret = secretInHeader ?? get('client_secret')
    if (!settings.clients) return { id, isConfidential: Boolean(secret ?? assertion) }
    const known = findClient(settings.clients, id)
    if (!known) throw refuse('There is no such client in the option clients.')
    if (known.jwks && assertion !== undefined) {
      const audience = [provider.issuerOf(exchange), provider.urlOf(exchange.origin, paths.token)]
      if (await isAssertion(assertion, id, known.jwks, audience, clock))
        return { id, isConfidential: true }
      throw refuse('The client_assertion is not valid.')
    }
    if (isConfidential(known) && (secret === undefined || known.client_secret !== secret)) {
      throw refuse('The credentials of the client are missing or wrong.')
    }
    return { id, isConfidential: isConfidential(known) }
  }

  /** Issues the tokens of a grant, whose user may have been removed. */
  async function issue(exchange: Exchange, grant: Grant, renewed?: string): Promise<Answer> {
    const user = grant.userId === undefined ? undefined : users.get(grant.userId, exchange)
    if (grant.userId !== undefined && !user) throw invalidGrant('The user is gone.')
    const tokens = await provider.issue(grant, user, exchange.origin, renewed)
    return { status: 200, headers: noCache, value: tokens }
  }

  const grants: Readonly<Record<string, GrantHandler>> = {
    async authorization_code(exchange, { get }, client) {
      const code = required(get, 'code')
      const issued = state.codes.get(code)
      if (!issued || issued.client !== client.id) throw invalidGrant('The code is unknown.')
      if (issued.isUsed) {
        endTokens(state, ({ grant }) => grant === issued.grant)
        throw invalidGrant('The code was used before, so that its tokens have ended.')
      }
      if (issued.expires <= clock.now()) throw invalidGrant('The code has expired.')
      if (get('redirect_uri') !== issued.redirectUri) {
        throw invalidGrant('The redirect_uri is not that of the authorization request.')
      }
      const verifier = get('code_verifier')
      // The code is used before anything is awaited, so that two requests cannot both redeem it.
      state.codes.set(code, { ...issued, isUsed: true })
      if (issued.challenge === undefined && verifier !== undefined) {
        throw invalidGrant('The authorization request had no code_challenge.')
      }
      if (issued.challenge !== undefined) {
        const isValid = verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier)
        if (!isValid || (await sha256(verifier)) !== issued.challenge) {
          throw invalidGrant('The code_verifier is missing or wrong.')
        }
      }
      return issue(exchange, issued)
    },

    async refresh_token(exchange, { get }, client) {
      const token = required(get, 'refresh_token')
      const issued = state.refresh.get(token)
      if (!issued || issued.client !== client.id)
        throw invalidGrant('The refresh token is unknown.')
      if (issued.due <= clock.now()) throw invalidGrant('The refresh token has expired.')
      if (issued.isUsed) {
        endTokens(state, ({ grant }) => grant === issued.grant)
        throw invalidGrant(
          'The refresh token was used before, so that all tokens of its login have ended.',
        )
      }
      const scope = get('scope') ?? issued.scope
      const granted = scopesOf(issued.scope)
      // A refreshed token can have less than was granted (RFC 6749 §6).
      if (!scopesOf(scope).every((one) => granted.includes(one)))
        throw oauthError('invalid_scope', 'The scope has more than was granted.')
      if (preset.isRotating) state.refresh.set(token, { ...issued, isUsed: true })
      const grant = { ...issued, nonce: undefined, grantType: 'refresh_token' }
      return issue(exchange, grant, scope)
    },

    async client_credentials(exchange, { get }, client) {
      if (!client.isConfidential) {
        throw oauthError(
          'unauthorized_client',
          'Only a client with a secret may use client_credentials.',
        )
      }
      const scope = scopesOf(scopeIn(get))
        .filter((one) => one !== 'openid' && one !== 'offline_access')
        .join(' ')
      const asked = { client: client.id, scope, audience: get('audience') ?? get('resource') }
      return issue(exchange, toGrant('client_credentials', asked))
    },

    async [deviceGrantType](exchange, { get }, client) {
      const code = required(get, 'device_code')
      const device = state.devices.get(code)
      if (!device || device.client !== client.id) throw invalidGrant('The device_code is unknown.')
      const now = clock.now()
      if (device.due <= now) throw oauthError('expired_token', 'The device_code has expired.')
      if (device.decision) {
        state.devices.delete(code)
        if (device.decision.grant) return issue(exchange, device.decision.grant)
        throw oauthError('access_denied', 'The user has refused the login.')
      }
      const isTooFast = now - device.lastPoll < device.interval * 1000
      const interval = device.interval + (isTooFast ? 5 : 0)
      state.devices.set(code, { ...device, lastPoll: now, interval })
      throw isTooFast
        ? oauthError('slow_down', `Please wait ${interval} seconds between requests.`)
        : oauthError('authorization_pending', 'The user has not logged in yet.')
    },
  }

  return {
    async token(exchange) {
      const parameters = await readParameters(exchange)
      const client = await authenticate(exchange, parameters)
      const type = required(parameters.get, 'grant_type')
      const handler = Object.hasOwn(grants, type) ? grants[type] : undefined
      const isKnown = handler && (type !== deviceGrantType || paths.device !== undefined)
      if (isKnown) return handler(exchange, parameters, client)
      throw oauthError('unsupported_grant_type', `The grant_type ${type} is not supported.`)
    },

    async device(exchange) {
      const parameters = await readParameters(exchange)
      const { id: client } = await authenticate(exchange, parameters)
      const { get } = parameters
      const now = clock.now()
      const code = drawNew(random, 40, state.devices)
      const letters = Array.from({ length: 8 }, () => codeLetters[Math.floor(random() * 20)]).join(
        '',
      )
      const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
      const asked = { client, scope: scopeIn(get), audience: get('audience') ?? get('resource') }
      const user = auto === undefined ? undefined : provider.userBy(auto, exchange)
      const sid = drawNew(random, 20, state.sessions)
      const session = user && { userId: users.idOf(user), sid, authTime: now }
      const decision = session && { grant: toGrant(deviceGrantType, asked, session) }
      const due = now + deviceLifetime
      const waiting = { ...asked, userCode, decision, interval: 5, lastPoll: 0, due }
      addExpiring(state.devices, code, waiting, now)
      const uri = provider.urlOf(exchange.origin, paths.verify ?? '')
      const value = {
        device_code: code,
        user_code: userCode,
        verification_uri: uri,
        verification_uri_complete: withParameters(uri, { user_code: userCode }),
        expires_in: deviceLifetime / 1000,
        interval: 5,
      }
      return { status: 200, headers: noCache, value }
    },

    async introspect(exchange) {
      const parameters = await readParameters(exchange)
      await authenticate(exchange, parameters)
      const token = required(parameters.get, 'token')
      const refresh = state.refresh.get(token)
      const found = refresh && !refresh.isUsed ? refresh : await provider.verify(token)
      if (typeof found !== 'object' || found.due <= clock.now()) {
        return { status: 200, headers: noCache, value: { active: false } }
      }
      const { userId, client, scope, due, issuedAt, audience = client } = found
      const value = {
        active: true,
        scope,
        client_id: client,
        token_type: refresh ? 'refresh_token' : 'Bearer',
        exp: Math.floor(due / 1000),
        iat: Math.floor(issuedAt / 1000),
        sub: userId === undefined ? client : provider.subjectOf(userId),
        aud: audience,
        iss: provider.issuerOf(exchange),
      }
      return { status: 200, headers: noCache, value }
    },

    async revoke(exchange) {
      const parameters = await readParameters(exchange)
      const client = await authenticate(exchange, parameters)
      const token = required(parameters.get, 'token')
      const access = state.access.get(token)
      const refresh = state.refresh.get(token)
      if (access?.client === client.id) state.access.delete(token)
      if (refresh?.client === client.id) endTokens(state, ({ grant }) => grant === refresh.grant)
      return { status: 200, headers: noCache, value: undefined }
    },
  }
}

/** Answers a request for tokens with a grant type. */
type GrantHandler = (
  exchange: Exchange,
  parameters: RequestParameters,
  client: AuthenticClient,
) => Promise<Answer>

/** A client whose credentials are valid; a confidential client has a secret. */
interface AuthenticClient {
  id: string
  isConfidential: boolean
}

/** For caches of HTTP 1.0 (RFC 6749 §5.1); the pipeline adds `Cache-Control: no-store`. */
const noCache: Answer['headers'] = [['Pragma', 'no-cache']]

/** The type of assertions that are JSON Web Tokens (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Returns the claim `sub` of an assertion that nothing has verified yet. */
function subjectIn(assertion: string): string | undefined {
  return /"sub"\s*:\s*"([^"]+)"/.exec(fromBase64(assertion.split('.')[1] ?? '') ?? '')?.[1]
}

/** The lifetime of the code of a device, in milliseconds. */
const deviceLifetime = 15 * 60_000

/** Letters that make no words and are not confused (RFC 8628 §6.1). */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

function required(get: RequestParameters['get'], name: string): string {
  const value = get(name)
  if (value === undefined) throw invalid(`The parameter ${name} is missing.`)
  return value
}

function invalid(description: string): MockError {
  return oauthError('invalid_request', description)
}

function invalidGrant(description: string): MockError {
  return oauthError('invalid_grant', description)
}
