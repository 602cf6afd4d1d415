import {
  type Check,
  checkOptions,
  isAmount,
  isCookieName,
  isEither,
  isFalse,
  isHeaderName,
  isListOf,
  isMapOf,
  isObject,
  isOneOf,
  isName,
  isStatus,
  isText,
  wrong,
} from '../../errors/check.ts'
import {
  checkVariables,
  isTemplate,
  namesOf,
  type Template,
  variablesOf,
} from '../../text/template.ts'
import { isEndpointPath } from '../../url/base.ts'
import { loginVariables } from './answers.ts'
import { type Duration, isSeconds, isSpan, toMilliseconds } from '../../time/duration.ts'

/** The options of `auth`, the behaviour that authenticates requests and decides what users may do. */
export interface AuthOptions {
  /** The accepted schemes. The first scheme whose credentials are sent is used. @default 'bearer' */
  scheme?: AuthScheme | readonly AuthScheme[]
  /** The collection of users. @default 'users' */
  users?: string
  /** Patterns of the requests that need a user: `POST *`, `orders`, `DELETE /posts/:id`. @default ['*'] */
  protect?: readonly string[]
  /** Patterns of requests that need no user although `protect` matches: `GET *`. @default [] */
  public?: readonly string[]
  /** The allowed roles by pattern; a user needs any of them: `{ 'DELETE *': 'admin' }`. */
  roles?: Readonly<Record<string, string | readonly string[]>>
  /** By collection, the field that holds the id of the owner: `{ orders: 'userId' }`. */
  owners?: Readonly<Record<string, string | OwnerOptions>>
  /** The fields that hold the login name of a user. @default ['email', 'username'] */
  by?: readonly string[]
  /** The member of the body of a login that holds the login name, of any field in `by`. @default the names in `by` */
  identifier?: string
  /**
   * The field that holds the password as plain text. With `false`, every password is accepted. If the
   * option is not given, users without a password log in with any. @default 'password'
   */
  password?: string | false
  /** Whether access tokens are signed JSON Web Tokens or random strings. @default 'jwt' */
  tokens?: 'jwt' | 'opaque'
  /** The key that signs the tokens (HS256). */
  secret?: string
  /** Tokens, or values of the cookie, that are always valid, with the id of their user: `{ 'test-ada': 1 }`. */
  known?: Readonly<Record<string, string | number>>
  /** The fields of a user that a signed token contains. @default ['email', 'name', 'role', 'roles'] */
  claims?: readonly string[]
  /** How long an access token or a cookie is valid. @default '1h' */
  expires?: Duration
  /** How long a refresh token is valid. @default '30d' */
  refreshExpires?: Duration
  /** The name of the cookie. @default 'sid' */
  cookie?: string
  /** The names of an API key: header, query parameter and field of the user. */
  key?: { header?: string; query?: string; field?: string }
  /**
   * The paths of the endpoints, relative to the base; `false` disables an endpoint. A method in front replaces POST, and
   * GET of `me`: `DELETE /session`.
   */
  paths?: Partial<Record<AuthEndpoint, string | false>>
  /** The path at which a POST creates a user and logs the user in: `users`. */
  register?: string
  /** The path of the user who asks, for GET, PUT and PATCH: `user`. @default `paths.me`, for GET alone */
  me?: string
  /** Another word for `Bearer` in `Authorization`, which is accepted beside `Bearer`: `Token`, or none for the token alone. */
  word?: string
  /** The body of the responses to a login, a refresh, a registration and `me`: `{ token: '$accessToken' }`. */
  answer?: Template
  /** The bodies of single endpoints in place of `answer`: `{ me: '$user' }`. */
  answers?: Partial<Record<AnsweredEndpoint, Template>>
  /** The statuses of successful responses. @default { login: 200, register: 201, logout: 204, or 200 with a body } */
  statuses?: Partial<Record<'login' | 'register' | 'logout', number>>
  /** The realm in `WWW-Authenticate`. @default 'mock' */
  realm?: string
}

/** The scheme by which a client authenticates: a bearer token, an API key, basic credentials, or a session cookie. */
export type AuthScheme = 'bearer' | 'apiKey' | 'basic' | 'cookie'

/** How the owner of a record restricts other users. */
export interface OwnerOptions {
  /** The field that holds the id of the owner, or a list of ids. */
  key: string
  /** The field of the user that `key` holds the value of: `teamId`. @default the id */
  of?: string
  /** Whether users read their own records only. @default 'own' */
  read?: 'own' | 'all'
  /** Roles that lift the restriction. A record that such a user creates without an owner is the user's own. */
  except?: readonly string[]
}

/** The endpoints of `auth`. */
export type AuthEndpoint = 'login' | 'logout' | 'refresh' | 'me'

/** The endpoints that respond with a body. */
export type AnsweredEndpoint = (typeof answeredEndpoints)[number]

const answeredEndpoints = ['login', 'refresh', 'register', 'me', 'logout'] as const

/** The options of `auth` with their defaults. */
export interface AuthSettings extends Required<
  Pick<
    AuthOptions,
    | 'users'
    | 'protect'
    | 'public'
    | 'by'
    | 'tokens'
    | 'secret'
    | 'known'
    | 'claims'
    | 'cookie'
    | 'realm'
    | 'statuses'
  >
> {
  schemes: readonly AuthScheme[]
  /** The members of the body of a login that can hold the login name. */
  identifiers: readonly string[]
  roles: readonly (readonly [pattern: string, roles: readonly string[]])[]
  owners: Readonly<Record<string, OwnerRule>>
  /** Whether the option `by` was given, so that some user must have such a field. */
  isByNamed: boolean
  password: string | undefined
  /** Whether the option `password` was given, so that users without a password cannot log in. */
  isPasswordNamed: boolean
  /** Milliseconds. */
  expires: number
  /** Milliseconds. */
  refreshExpires: number
  key: { header: string; query: string; field: string }
  paths: Readonly<Record<AuthEndpoint | 'register', string | false>>
  /** Whether PUT and PATCH of `me` change the user. */
  isMeWritable: boolean
  word: string | undefined
  /** Whether clients renew their access token, as the answer to a login has no refresh token. */
  isRefreshedByAccess: boolean
  answers: Readonly<Partial<Record<AnsweredEndpoint, Template>>>
}

/** An owner rule with its defaults; `of` is undefined for the id of the user. */
export interface OwnerRule extends Required<Omit<OwnerOptions, 'of'>> {
  of: string | undefined
}

const isTexts = isListOf(isText)
const isNames = isListOf(isName)
const notEmpty = ([passes, words]: Check): Check => [
  (value) => passes(value) && (value as []).length > 0,
  words,
]
const isId = isEither(isName, isAmount)
const isScheme = isOneOf('bearer', 'apiKey', 'basic', 'cookie')

const isEndpoint = isEither(
  [
    (value) => typeof value === 'string' && isEndpointPath[0](value.replace(/^[A-Z]+ (?=\/)/, '')),
    isEndpointPath[1],
  ],
  isFalse,
)

const checks: Readonly<Record<keyof AuthOptions, Check>> = {
  scheme: isEither(isScheme, notEmpty(isListOf(isScheme))),
  users: isName,
  protect: isTexts,
  public: isTexts,
  roles: isMapOf(isEither(isText, isTexts)),
  owners: isMapOf(isEither(isName, isObject)),
  by: notEmpty(isNames),
  identifier: isName,
  password: isEither(isName, isFalse),
  tokens: isOneOf('jwt', 'opaque'),
  secret: isName,
  known: [
    (value) => isMapOf(isId)[0](value) && Object.keys(value as object).every(isBearerToken),
    'an object of tokens, which have letters, digits and -._~+/, and the ids of their users',
  ],
  claims: isNames,
  expires: isSeconds,
  refreshExpires: isSpan,
  cookie: isCookieName,
  key: isObject,
  paths: isObject,
  register: isEndpointPath,
  me: isEndpointPath,
  word: [
    (value) => typeof value === 'string' && /^(?:[A-Za-z][\w.-]*)?$/.test(value),
    'a word such as Token',
  ],
  answer: isTemplate,
  answers: isMapOf(isTemplate),
  statuses: isObject,
  realm: isText,
}

const subject = 'the options of "auth"'

/** Checks the options of `auth`, fills in the defaults. @throws MockError for a wrong option */
export function toSettings(options: AuthOptions): AuthSettings {
  checkOptions(subject, options, checks)
  checkOptions(`${subject}, "key"`, options.key ?? {}, {
    header: isHeaderName,
    query: isName,
    field: isName,
  })
  const endpointChecks = {
    login: isEndpoint,
    logout: isEndpoint,
    refresh: isEndpoint,
    me: isEndpoint,
  }
  checkOptions(`${subject}, "paths"`, options.paths ?? {}, endpointChecks)
  const isAny = isStatus(200, 299)
  const statusChecks = { login: isAny, register: isAny, logout: isAny }
  checkOptions(`${subject}, "statuses"`, options.statuses ?? {}, statusChecks)
  checkWords(options)
  const { password = 'password', paths = {}, word, answer, register = false } = options
  const { header = 'X-API-Key', query = 'api_key', field = 'apiKey' } = options.key ?? {}
  const { login = '/login', logout = '/logout', refresh = '/refresh' } = paths
  const me = options.me ?? paths.me ?? '/me'
  const { by = ['email', 'username'] } = options
  const loginAnswer = options.answers?.login ?? answer
  return {
    schemes: [options.scheme ?? 'bearer'].flat(),
    users: options.users ?? 'users',
    protect: options.protect ?? ['*'],
    public: options.public ?? [],
    roles: Object.entries(options.roles ?? {}).map(([pattern, roles]) => [pattern, [roles].flat()]),
    owners: toOwners(options.owners ?? {}),
    by,
    identifiers: options.identifier === undefined ? by : [options.identifier],
    isByNamed: options.by !== undefined,
    password: password === false ? undefined : password,
    isPasswordNamed: typeof options.password === 'string',
    tokens: options.tokens ?? 'jwt',
    // The data of a mock needs no secrecy; with a fixed key, tokens stay valid after a restart.
    secret: options.secret ?? 'a secret of a mock, which everybody knows',
    known: options.known ?? {},
    claims: options.claims ?? ['email', 'name', 'role', 'roles'],
    expires: toMilliseconds(options.expires ?? '1h'),
    refreshExpires: toMilliseconds(options.refreshExpires ?? '30d'),
    cookie: options.cookie ?? 'sid',
    key: { header, query, field },
    paths: { login, logout, refresh, me, register },
    isMeWritable: options.me !== undefined,
    word: word?.toLowerCase() === 'bearer' ? undefined : word,
    isRefreshedByAccess:
      loginAnswer !== undefined && !variablesOf(loginAnswer).includes('refreshToken'),
    answers: {
      ...(answer !== undefined &&
        Object.fromEntries(
          answeredEndpoints.filter((name) => name !== 'logout').map((name) => [name, answer]),
        )),
      ...options.answers,
    },
    statuses: options.statuses ?? {},
    realm: options.realm ?? 'mock',
  }
}

/** Checks the options that name what clients send and get. @throws MockError for a wrong one */
function checkWords({
  answer,
  answers = {},
  me,
  paths = {},
  scheme = 'bearer',
  word,
}: AuthOptions) {
  const endpoints = Object.fromEntries(answeredEndpoints.map((name) => [name, isTemplate]))
  checkOptions(`${subject}, "answers"`, answers, endpoints)
  const templates = { ...(answer !== undefined && { answer }), ...answers }
  for (const [name, template] of Object.entries(templates)) {
    const place = name === 'answer' ? name : `answers.${name}`
    const names = name === 'logout' ? [] : namesOf(loginVariables)
    checkVariables(subject, place, template, names)
  }
  if (me !== undefined && paths.me !== undefined) {
    throw wrong(subject, '"me" and "paths.me" both name a path. Please give one of them.')
  }
  if (word !== undefined && ![scheme].flat().includes('bearer')) {
    throw wrong(subject, '"word" needs the scheme "bearer". Please add it to "scheme".')
  }
}

/** Whether a text can be sent as a bearer token (RFC 6750 §2.1). */
export function isBearerToken(text: string): boolean {
  return /^[\w\-.~+/]+=*$/.test(text)
}

function toOwners(owners: NonNullable<AuthOptions['owners']>): AuthSettings['owners'] {
  const settings: Record<string, OwnerRule> = {}
  for (const [name, given] of Object.entries(owners)) {
    const own: OwnerOptions = typeof given === 'string' ? { key: given } : given
    checkOptions(
      `${subject}, owners of "${name}"`,
      own,
      { key: isName, of: isName, read: isOneOf('own', 'all'), except: isTexts },
      ['key'],
    )
    const { key, of, read = 'own', except = [] } = own
    settings[name] = { key, of, read, except }
  }
  return settings
}
