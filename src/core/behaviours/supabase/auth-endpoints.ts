import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { bearerOf, type MaybePromise, type MockResponse } from '../../http/contract/messages.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { randomUuid } from '../../time/random.ts'
import { addExpiring } from '../auth/logins.ts'
import type { Provider } from '../oidc/provider.ts'
import { isLoopback, originOf, withParameters } from '../oidc/request.ts'
import { keySet, sha256 } from '../oidc/signing.ts'
import { endTokens, type Grant } from '../oidc/state.ts'
import { type Accounts, type Contact, textIn } from './accounts.ts'
import { createMails, mailLifetime } from './auth-mails.ts'
import { failure, refuse } from './failure.ts'

/** Creates the endpoints below `/auth/v1`, by method and path; `root` is their path. */
export function createAuthEndpoints(
  { settings, state, signer, world, toGrant, verify, issue }: Provider,
  accounts: Accounts,
  autoconfirm: boolean,
  root: string,
): Readonly<Record<string, Handler>> {
  const { clock, random, service } = world
  const { idOf, toUser, users } = accounts
  const { store } = service
  const { redeem, sendTo } = createMails(world, accounts)
  const toTime = (time: number): string => new Date(time).toISOString()

  /** The address of a redirect: that of the request if it is allowed, else the application that asks. */
  function targetOf({ exchange, query }: Call): string {
    const { origin, referer = '' } = exchange.headers
    const isAllowed = (uri = ''): boolean => isLoopback(uri) || originOf(uri) === exchange.origin
    return [query('redirect_to'), origin ?? originOf(referer)].find(isAllowed) ?? exchange.origin
  }

  async function toSession({ exchange }: Call, user: JsonRecord, grant: Grant) {
    const given = await issue({ ...grant, isRenewable: true }, user, exchange.origin)
    const { access_token, refresh_token = '' } = given
    const expires_in = Math.floor(settings.expires / 1000)
    const expires_at = Math.floor(clock.now() / 1000) + expires_in
    const session = { access_token, token_type: 'bearer', expires_in, expires_at, refresh_token }
    return { ...session, user: toUser(user, toTime(grant.authTime)) }
  }

  function startGrant(method: string, user: JsonRecord): Grant {
    let sid = randomUuid(random)
    // A fork draws the same numbers as its origin.
    while ([...state.refresh.values()].some((one) => one.sid === sid)) sid = randomUuid(random)
    const session = { userId: idOf(user), sid, authTime: clock.now() }
    return toGrant(method, { client: 'supabase', scope: '' }, session)
  }

  const logIn = async (call: Call, method: string, user: JsonRecord) =>
    ok(await toSession(call, user, startGrant(method, user)))

  /** Returns to the application: with a code if it has sent a challenge, else with the session (RFC 7636). */
  async function goBack(
    call: Call,
    user: JsonRecord,
    grant: Grant,
    challenge = '',
    type = '',
  ): Promise<MockResponse> {
    const now = clock.now()
    if (challenge === '') {
      const { user: _user, ...session } = await toSession(call, user, grant)
      const texts = Object.entries({ ...session, type }).map(([name, one]) => [name, String(one)])
      return redirectTo(withParameters(targetOf(call), Object.fromEntries(texts), true))
    }
    const code = randomUuid(random)
    const due = now + mailLifetime
    const facts = { redirectUri: '', challenge, expires: due, due, isUsed: false }
    addExpiring(state.codes, code, { ...grant, ...facts }, now)
    return redirectTo(withParameters(targetOf(call), { code }))
  }

  /** Mails a link and a code; for a change of the e-mail to both addresses. */
  function mail(call: Call, user: JsonRecord, type: string, ...to: string[]) {
    const { exchange, body } = call
    const place = { url: `${exchange.origin}${root}/verify`, redirect_to: targetOf(call) }
    const challenge = textIn(body, 'code_challenge')
    return sendTo(exchange, to, { ...place, user_id: idOf(user), type, challenge })
  }

  const mailChange = (call: Call, user: JsonRecord) =>
    mail(call, user, 'email_change', textIn(user, 'new_email'), textIn(user, 'email'))

  function contactIn(body: JsonRecord): Contact {
    const email = textIn(body, 'email').toLowerCase()
    const phone = textIn(body, 'phone').replace(/^\+/, '')
    if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse('email_address_invalid')
    if (email || phone) return { field: email ? 'email' : 'phone', value: email || phone }
    throw failure(400, 'validation_failed', 'missing email or phone')
  }

  /** The fields that a body changes. @throws MockError for a weak password or a malformed e-mail */
  function fieldsIn(body: JsonRecord): JsonRecord {
    const { email, phone, password, app_metadata, email_confirm } = body
    if (password !== undefined && textIn(body, 'password').length < 6) throw refuse('weak_password')
    return {
      ...(email && toFields(contactIn({ email }))),
      ...(phone && toFields(contactIn({ phone }))),
      ...(password !== undefined && { [accounts.password]: password }),
      ...(isRecord(app_metadata) && { app_metadata }),
      ...(email_confirm === true && { email_confirmed_at: toTime(clock.now()) }),
    }
  }

  /** The account of a contact, or a new one. */
  const findOrCreate = ({ exchange, body }: Call, fields: JsonRecord) =>
    accounts.find(exchange, contactIn(body)) ??
    accounts.save(exchange, undefined, { ...initial, ...fields }, recordIn(body))
  const initial: JsonRecord = autoconfirm ? {} : { email_confirmed_at: null }

  /** The grants of `/token`, by `grant_type`. */
  const grants: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
    async password(call) {
      const { exchange, body } = call
      const found = accounts.find(exchange, contactIn(body))
      const user = found && users.byPassword(nameOf(found), textIn(body, 'password'), exchange)
      if (!user) throw refuse('invalid_credentials')
      if (user['email_confirmed_at'] === null) throw refuse('email_not_confirmed')
      return logIn(call, 'password', user)
    },
    async refresh_token(call) {
      const token = textIn(call.body, 'refresh_token')
      const issued = state.refresh.get(token)
      const user = users.get(issued?.userId ?? '', call.exchange)
      if (!issued || !user || issued.due <= clock.now()) throw refuse('refresh_token_not_found')
      const { usedAt = clock.now() } = issued
      if (clock.now() - usedAt > reuseInterval) {
        endTokens(state, ({ sid }) => sid === issued.sid)
        throw refuse('refresh_token_already_used')
      }
      state.refresh.set(token, { ...issued, isUsed: true, usedAt })
      return ok(await toSession(call, user, issued))
    },
    async pkce(call) {
      const verifier = textIn(call.body, 'code_verifier')
      const accepted = [verifier, await sha256(verifier)]
      const code = textIn(call.body, 'auth_code')
      const { issued, user } = findCode(call.exchange, code)
      if (!issued || !user) throw refuse('flow_state_not_found')
      if (!accepted.includes(issued.challenge ?? '')) throw refuse('bad_code_verifier')
      state.codes.delete(code)
      return ok(await toSession(call, user, issued))
    },
  }

  /** Finds a code of the login page or of `goBack`, with its user. */
  function findCode(exchange: Exchange, code: string) {
    const issued = state.codes.get(code)
    const isValid = issued !== undefined && issued.expires > clock.now()
    return { issued, user: isValid ? users.get(issued.userId ?? '', exchange) : undefined }
  }

  /** The user of the access token. @throws MockError 401 or 403 without a valid one */
  async function loginOf({ exchange }: Call): Promise<{ user: JsonRecord; grant: Grant }> {
    const token = bearerOf(exchange)
    if (token === undefined) throw refuse('no_authorization')
    const grant = await verify(token)
    if (grant === 'expired' || (!grant && !(await signer.verify(token)))) throw refuse('bad_jwt')
    if (!grant) throw refuse('session_not_found')
    const user = users.get(grant.userId ?? '', exchange)
    if (!user) throw refuse('user_not_found')
    return { user, grant }
  }

  /** Requires the service role, and passes the account that the path names. */
  const admin =
    (handler: (call: Call, user: JsonRecord) => MaybePromise<Answer>): Handler =>
    (call) => {
      if (!call.exchange.isTrusted) throw refuse('not_admin')
      const user = call.id === undefined ? {} : users.get(call.id, call.exchange)
      if (!user) throw refuse('user_not_found', 404)
      return handler(call, user)
    }

  /** Creates the endpoint that mails a link and a code to an account, if there is one. */
  const mailing =
    (type: string): Handler =>
    (call) => {
      const contact = contactIn(call.body)
      const user = accounts.find(call.exchange, contact)
      const asked = textIn(call.body, 'type') || type
      if (user && asked !== 'email_change') mail(call, user, asked, contact.value)
      else if (user?.['new_email']) mailChange(call, user)
      return ok({})
    }

  return {
    'GET /health': () => ok({ version: 'mock', name: 'GoTrue', description: 'Fixtura' }),
    'GET /.well-known/jwks.json': () => ok(keySet),
    'GET /settings': () =>
      ok({
        external: { email: true, phone: true, anonymous_users: true, github: true, google: true },
        disable_signup: false,
        mailer_autoconfirm: autoconfirm,
        phone_autoconfirm: autoconfirm,
      }),
    async 'POST /signup'(call) {
      const { exchange, body } = call
      if (!body['email'] && !body['phone']) {
        const fields = { is_anonymous: true }
        const user = await accounts.save(exchange, undefined, fields, recordIn(body))
        return logIn(call, 'anonymous', user)
      }
      const contact = contactIn(body)
      const fields = fieldsIn({ ...body, password: body['password'] ?? '' })
      if (accounts.find(exchange, contact)) throw refuse('user_already_exists')
      const user = await findOrCreate(call, fields)
      if (autoconfirm) return logIn(call, 'password', user)
      mail(call, user, 'signup', contact.value)
      return ok(toUser(user))
    },
    'POST /token'(call) {
      const grant = ownValue(grants, call.query('grant_type') ?? '')
      if (grant) return grant(call)
      const known = Object.keys(grants).join(', ')
      throw failure(400, 'validation_failed', `unsupported grant_type: please use one of ${known}`)
    },
    async 'GET /user'(call) {
      const { user, grant } = await loginOf(call)
      return ok(toUser(user, toTime(grant.authTime)))
    },
    async 'PUT /user'(call) {
      const { exchange, body } = call
      const { user, grant } = await loginOf(call)
      const fields = fieldsIn(body)
      const isNamed = Boolean(fields['email'] ?? fields['phone'])
      const other = isNamed ? accounts.find(exchange, contactIn(body)) : undefined
      if (other && idOf(other) !== idOf(user)) throw refuse('email_exists')
      const password = fields[accounts.password] ?? null
      if (password !== null && user[accounts.password] === password) throw refuse('same_password')
      const isAnonymous = user['is_anonymous'] === true
      const { email, ...others } = fields
      const isChange = email !== undefined && email !== user['email']
      const needsMail = isChange && !(isAnonymous && autoconfirm)
      if (isNamed && isAnonymous && !needsMail) fields['is_anonymous'] = false
      const changed = needsMail ? { ...others, new_email: email } : fields
      const stored = await accounts.save(exchange, idOf(user), changed, recordIn(body))
      if (needsMail) mailChange(call, stored)
      return ok(toUser(stored, toTime(grant.authTime)))
    },
    async 'POST /otp'(call) {
      const contact = contactIn(call.body)
      const mayCreate = call.body['create_user'] !== false
      if (!mayCreate && !accounts.find(call.exchange, contact)) throw refuse('otp_disabled')
      const user = await findOrCreate(call, toFields(contact))
      const { id } = mail(
        call,
        user,
        contact.field === 'email' ? 'magiclink' : 'sms',
        contact.value,
      )
      return ok(contact.field === 'email' ? {} : { message_id: id })
    },
    'POST /recover': mailing('recovery'),
    'POST /resend': mailing('signup'),
    async 'POST /verify'(call) {
      const { exchange, body } = call
      const [type, token, hash] = [textIn(body, 'type'), textIn(body, 'token'), body['token_hash']]
      const to = hash ? '' : contactIn(body).value
      const { user, isPending } = await redeem(exchange, (sent) => {
        const isGiven = hash ? sent.token_hash === hash : sent.code === token && sent.to === to
        const types = loginTypes.includes(type) ? loginTypes : [type]
        return isGiven && types.includes(sent.type)
      })
      return isPending ? ok({ code: '200', msg: accepted }) : logIn(call, 'otp', user)
    },
    async 'GET /verify'(call) {
      const token = call.query('token')
      try {
        const { user, sent, isPending } = await redeem(
          call.exchange,
          (one) => one.token_hash === token,
        )
        const isHash = sent.challenge === ''
        if (isPending)
          return redirectTo(withParameters(targetOf(call), { message: accepted }, isHash))
        return await goBack(call, user, startGrant('otp', user), sent.challenge, sent.type)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        const values = { error: 'access_denied', error_code: 'otp_expired' }
        const error_description = 'Email link is invalid or has expired'
        return redirectTo(withParameters(targetOf(call), { ...values, error_description }, true))
      }
    },
    'GET /authorize'(call) {
      const { exchange, query } = call
      const client_id = query('provider')
      if (!client_id) throw failure(400, 'validation_failed', 'missing OAuth provider')
      const own = exchange.origin + root
      const code_challenge = query('code_challenge')
      const redirect_to = targetOf(call)
      const redirect_uri = withParameters(`${own}/callback`, { redirect_to, code_challenge })
      const scope = 'openid profile email'
      const asked = { client_id, response_type: 'code', scope, redirect_uri }
      const hints = { login_hint: query('login_hint'), prompt: query('prompt') }
      const url = withParameters(`${own}/oauth/authorize`, { ...asked, ...hints })
      return query('skip_http_redirect') ? ok({ url }) : redirectTo(url)
    },
    async 'GET /callback'(call) {
      const { query, exchange } = call
      const code = query('code') ?? ''
      const { issued, user } = findCode(exchange, code)
      state.codes.delete(code)
      const challenge = query('code_challenge')
      if (issued && user) return goBack(call, user, { ...issued, grantType: 'oauth' }, challenge)
      const error = query('error') ?? 'server_error'
      const error_description = query('error_description') ?? 'The code is invalid or expired.'
      return redirectTo(withParameters(targetOf(call), { error, error_description }))
    },
    async 'POST /logout'(call) {
      const { grant } = await loginOf(call)
      const scope = call.query('scope') ?? 'global'
      const isInScope = (sid: string): boolean =>
        scope === 'global' || (scope === 'others') !== (sid === grant.sid)
      endTokens(state, ({ userId, sid }) => userId === grant.userId && isInScope(sid))
      return { status: 204, headers: [], value: undefined }
    },
    'GET /admin/users': admin(({ query }) => {
      const [page, size] = [Number(query('page')) || 1, Number(query('per_page')) || 50]
      const all = store.collection(accounts.name).records()
      const shown = all.slice((page - 1) * size, page * size).map((one) => toUser(one))
      const headers: Answer['headers'] = [['X-Total-Count', String(all.length)]]
      return { status: 200, headers, value: { users: shown, aud: 'authenticated' } }
    }),
    'POST /admin/users': admin(async ({ exchange, body }) => {
      if (accounts.find(exchange, contactIn(body))) throw refuse('email_exists')
      const fields = { email_confirmed_at: null, ...fieldsIn(body) }
      return ok(toUser(await accounts.save(exchange, undefined, fields, recordIn(body))))
    }),
    'POST /invite': admin(async (call) => {
      if (accounts.find(call.exchange, contactIn(call.body))) throw refuse('email_exists')
      const invited_at = toTime(clock.now())
      const user = await findOrCreate(call, {
        ...fieldsIn(call.body),
        email_confirmed_at: null,
        invited_at,
      })
      mail(call, user, 'invite', nameOf(user))
      return ok(toUser(user))
    }),
    'GET /admin/users/:id': admin((_call, user) => ok(toUser(user))),
    'PUT /admin/users/:id': admin(async ({ exchange, body }, user) =>
      ok(toUser(await accounts.save(exchange, idOf(user), fieldsIn(body), recordIn(body)))),
    ),
    'DELETE /admin/users/:id': admin(async ({ exchange }, user) => {
      endTokens(state, ({ userId }) => userId === idOf(user))
      await accounts.save(exchange, idOf(user), undefined)
      return ok({})
    }),
    'POST /admin/generate_link': admin(async (call) => {
      const type = textIn(call.body, 'type')
      const user = await findOrCreate(call, { email_confirmed_at: null, ...fieldsIn(call.body) })
      const { link, code, token_hash, redirect_to } = mail(call, user, type, nameOf(user))
      const facts = { action_link: link, email_otp: code, hashed_token: token_hash, redirect_to }
      return ok({ ...toUser(user), ...facts, verification_type: type })
    }),
  }
}

/** A request to an endpoint, with its JSON body and the id in its path. */
interface Call {
  exchange: Exchange
  body: JsonRecord
  query(name: string): string | undefined
  id: string | undefined
}

type Handler = (call: Call) => MaybePromise<Answer | MockResponse>

/** How long requests at the same time can refresh with one token, in milliseconds. */
const reuseInterval = 10_000

const accepted =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** The mails that log in, which a client may verify as `email`. */
const loginTypes = ['signup', 'magiclink', 'email', 'invite']

const ok = (value: unknown): Answer => ({ status: 200, headers: [], value })

const redirectTo = (url: string): MockResponse => ({
  status: 303,
  headers: [['Location', url]],
  body: null,
})

const recordIn = ({ data, user_metadata }: JsonRecord) => [data, user_metadata].find(isRecord)

const toFields = ({ field, value }: Contact): JsonRecord => ({ [field]: value })

const nameOf = (user: JsonRecord): string => textIn(user, 'email') || textIn(user, 'phone')
