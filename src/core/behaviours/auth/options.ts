import {
  type Check,
  checkOptions,
  isAmount,
  isEither,
  isFalse,
  isListOf,
  isMapOf,
  isObject,
  isOneOf,
  isName,
  isText,
} from '../../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'

/** How a client says who it is. */
export type AuthScheme = 'bearer' | 'apiKey' | 'basic' | 'cookie'

/** Who may do what. */
export interface AuthOptions {
  /** One or several; the first whose credentials are sent decides. @default 'bearer' */
  scheme?: AuthScheme | readonly AuthScheme[]
  /** The collection of those who may log in. @default 'users' */
  users?: string
  /** Which requests need a user: `POST *`, `orders`, `DELETE /posts/:id`. @default ['*'] */
  protect?: readonly string[]
  /** Which of them do not: `GET *`. @default [] */
  public?: readonly string[]
  /** The roles of which a user has to have one, by request: `{ 'DELETE *': 'admin' }`. */
  roles?: Readonly<Record<string, string | readonly string[]>>
  /** The key that names the owner of a record, by collection: `{ orders: 'userId' }`. */
  owners?: Readonly<Record<string, string | OwnerOptions>>
  /** The fields by which users are known at a login. @default ['email', 'username'] */
  by?: readonly string[]
  /**
   * The field that holds the password as plain text; false where any will do. Where it is not named, a
   * user without one logs in with any. @default 'password'
   */
  password?: string | false
  /** Whether access tokens are signed and can be read, or mere random texts. @default 'jwt' */
  tokens?: 'jwt' | 'opaque'
  /** Signs the tokens (HS256). */
  secret?: string
  /** Tokens that are always good, with the id of their user: `{ 'test-ada': 1 }`. */
  known?: Readonly<Record<string, string | number>>
  /** The fields of a user that stand in a signed token. @default ['email', 'name', 'role', 'roles'] */
  claims?: readonly string[]
  /** How long a token or a cookie is good. @default '1h' */
  expires?: Duration
  /** How long a token can be renewed. @default '30d' */
  refreshExpires?: Duration
  /** The name of the cookie. @default 'sid' */
  cookie?: string
  /** Where an API key stands. */
  key?: { header?: string; query?: string; field?: string }
  /** Where to log in and so on, below the base; false for nowhere. */
  paths?: Partial<Record<AuthPlace, string | false>>
  /** What `WWW-Authenticate` calls the service. @default 'mock' */
  realm?: string
}

/** Who owns the records of a collection. */
export interface OwnerOptions {
  /** Holds the id of the owner, or a list of ids. */
  key: string
  /** Whether others may read them. @default 'own' */
  read?: 'own' | 'all'
  /** Roles for which there are no owners. */
  except?: readonly string[]
}

/** What can be done about oneself. */
export type AuthPlace = 'login' | 'logout' | 'refresh' | 'me'

/** The options with their defaults. */
export interface AuthSettings {
  schemes: readonly AuthScheme[]
  users: string
  protect: readonly string[]
  public: readonly string[]
  roles: readonly (readonly [pattern: string, roles: readonly string[]])[]
  owners: Readonly<Record<string, Required<OwnerOptions>>>
  by: readonly string[]
  /** Whether some user has to have one of the fields that name them. */
  isByNamed: boolean
  password: string | undefined
  /** Whether a user without a password cannot log in. */
  isPasswordNamed: boolean
  tokens: 'jwt' | 'opaque'
  secret: string
  known: Readonly<Record<string, string | number>>
  claims: readonly string[]
  /** Milliseconds. */
  expires: number
  /** Milliseconds. */
  refreshExpires: number
  cookie: string
  key: { header: string; query: string; field: string }
  paths: Readonly<Record<AuthPlace, string | false>>
  realm: string
}

const isTexts = isListOf(isText)
const isScheme = isOneOf('bearer', 'apiKey', 'basic', 'cookie')
const isSchemes = isListOf(isScheme)

const checks: Readonly<Record<keyof AuthOptions, Check>> = {
  scheme: isEither(isScheme, [
    (value) => isSchemes[0](value) && (value as []).length !== 0,
    isSchemes[1],
  ]),
  users: isText,
  protect: isTexts,
  public: isTexts,
  roles: isMapOf(isEither(isText, isTexts)),
  owners: isMapOf(isEither(isText, isObject)),
  by: isTexts,
  password: isEither(isText, isFalse),
  tokens: isOneOf('jwt', 'opaque'),
  secret: isName,
  known: isMapOf(isEither(isText, isAmount)),
  claims: isTexts,
  expires: isDuration,
  refreshExpires: isDuration,
  cookie: isName,
  key: isObject,
  paths: isObject,
  realm: isText,
}

const subject = 'the options of "auth"'

/**
 * Reads the options.
 * @throws MockError when one is wrong
 */
export function toSettings(options: AuthOptions): AuthSettings {
  checkOptions(subject, options, checks)
  const isPath = isEither(isText, isFalse)
  checkOptions(`${subject}, "key"`, options.key ?? {}, {
    header: isText,
    query: isText,
    field: isText,
  })
  checkOptions(`${subject}, "paths"`, options.paths ?? {}, {
    login: isPath,
    logout: isPath,
    refresh: isPath,
    me: isPath,
  })
  const { password = 'password' } = options
  const { header = 'X-API-Key', query = 'api_key', field = 'apiKey' } = options.key ?? {}
  const {
    login = '/login',
    logout = '/logout',
    refresh = '/refresh',
    me = '/me',
  } = options.paths ?? {}
  return {
    schemes: [options.scheme ?? 'bearer'].flat(),
    users: options.users ?? 'users',
    protect: options.protect ?? ['*'],
    public: options.public ?? [],
    roles: Object.entries(options.roles ?? {}).map(([pattern, roles]) => [pattern, [roles].flat()]),
    owners: toOwners(options.owners ?? {}),
    by: options.by ?? ['email', 'username'],
    isByNamed: options.by !== undefined,
    password: password === false ? undefined : password,
    isPasswordNamed: typeof options.password === 'string',
    tokens: options.tokens ?? 'jwt',
    // Nothing that a mock knows is a secret; a fixed one lets a token outlive a restart.
    secret: options.secret ?? 'a secret of a mock, which everybody knows',
    known: options.known ?? {},
    claims: options.claims ?? ['email', 'name', 'role', 'roles'],
    expires: toMilliseconds(options.expires ?? '1h'),
    refreshExpires: toMilliseconds(options.refreshExpires ?? '30d'),
    cookie: options.cookie ?? 'sid',
    key: { header, query, field },
    paths: { login, logout, refresh, me },
    realm: options.realm ?? 'mock',
  }
}

function toOwners(owners: NonNullable<AuthOptions['owners']>): AuthSettings['owners'] {
  const settings: Record<string, Required<OwnerOptions>> = {}
  for (const [name, given] of Object.entries(owners)) {
    const own: OwnerOptions = typeof given === 'string' ? { key: given } : given
    checkOptions(
      `${subject}, owners of "${name}"`,
      own,
      { key: isText, read: isOneOf('own', 'all'), except: isTexts },
      ['key'],
    )
    const { key, read = 'own', except = [] } = own
    settings[name] = { key, read, except }
  }
  return settings
}
