import {
  type Check,
  checkOptions,
  isAmount,
  isCallable,
  isEither,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../../errors/check.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MaybePromise, MockResponse } from '../../http/contract/messages.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Duration, isSeconds, isSpan, toMilliseconds } from '../../time/duration.ts'
import { isBase, toBase } from '../../url/base.ts'
import { type Preset, type PresetName, presets, usual } from './presets.ts'
import type { Algorithm } from './signing.ts'

/** The options of `oidc`, the behaviour that makes the mock an OpenID Connect provider. */
export interface OidcOptions {
  /** The collection of users. @default 'users' */
  users?: string
  /** The URL of the provider, or its path below the base. @default '/oidc' at the address of the request */
  issuer?: string
  /** The provider whose paths, claims and peculiarities the mock has. */
  preset?: PresetName
  /** The realm (Keycloak), tenant (Entra), user pool (Cognito) or authorization server (Okta) in the paths. */
  tenant?: string
  /** The clients that may log in. Without it, any client may, with a redirect to a loopback address. */
  clients?: readonly OidcClient[]
  /** The user, by id, e-mail or username, whom every request logs in without the page. */
  auto?: string | number
  /** Claims by the field of the user, `{ roles: 'role' }`, or a function that returns further claims. */
  claims?: Readonly<Record<string, string>> | ClaimsFunction
  /** The algorithm of the signatures. @default 'RS256' */
  algorithm?: Algorithm
  /** How long access tokens and ID tokens are valid. @default '1h' */
  expires?: Duration
  /** How long refresh tokens and the login at the provider are valid. @default '30d' */
  refreshExpires?: Duration
}

/** Returns further claims of a user for the tokens of a client. */
export type ClaimsFunction = (
  user: JsonRecord,
  request: { client: string; scope: string },
) => Record<string, unknown>

/** A client, with the names of its metadata (RFC 7591 §2). */
export interface OidcClient {
  client_id: string
  client_secret?: string
  /** The public keys of a client that signs assertions (`private_key_jwt`). Without keys and secret, it is public. */
  jwks?: { keys: readonly object[] }
  /** The addresses to which a login may redirect; those on a loopback address match with any port (RFC 8252 §7.3). */
  redirect_uris?: readonly string[]
  /** The addresses to which a logout may redirect. @default any address of the origins of `redirect_uris` */
  post_logout_redirect_uris?: readonly string[]
}

/** The options of `oidc` with their defaults. */
export interface OidcSettings extends Required<
  Pick<OidcOptions, 'users' | 'claims' | 'algorithm'>
> {
  preset: Preset
  /** The paths of the endpoints below the base. */
  paths: Paths
  /** Scheme and authority of the issuer; undefined for those of the request. */
  origin: string | undefined
  clients: readonly OidcClient[] | undefined
  auto: string | undefined
  /** Milliseconds. */
  expires: number
  /** Milliseconds. */
  refreshExpires: number
}

/** The paths of a provider: `issuer` is that of its URL, the others those of endpoints. */
export type Paths = Readonly<Record<'issuer' | 'discovery' | 'page', string> & Preset['paths']>

/** The names of endpoints: each has a path, and a handler. */
export type EndpointName = Exclude<keyof Paths, 'issuer'>

/** The handlers of endpoints, which throw errors of `oauthError`, or those that a page shows. */
export type Endpoints<Name extends EndpointName> = Readonly<
  Record<Name, (exchange: Exchange) => MaybePromise<Answer | MockResponse>>
>

const isTexts = isListOf(isText)

const isIssuer: Check = [
  (value) =>
    typeof value === 'string' && value !== '' && isBase(value.slice(originIn(value)?.length ?? 0)),
  'a URL such as "https://login.example.org", or a path such as "/oidc"',
]

const isKeySet: Check = [
  (value) => isListOf(isObject)[0](Object(value)['keys']),
  'a JSON Web Key Set: { keys: [{ … }] }',
]

function originIn(issuer: string): string | undefined {
  return /^https?:\/\/[^\s/?#@\\]+/i.exec(issuer)?.[0]
}

const checks: Readonly<Record<keyof OidcOptions, Check>> = {
  users: isName,
  issuer: isIssuer,
  preset: isOneOf(...Object.keys(presets)),
  tenant: isName,
  clients: isListOf(isObject),
  auto: isEither(isName, isAmount),
  claims: isEither(isCallable, isMapOf(isName)),
  algorithm: isOneOf('RS256', 'ES256'),
  expires: isSeconds,
  refreshExpires: isSpan,
}

const subject = 'the options of "oidc"'

/** Checks the options of `oidc`, fills in the defaults. @throws MockError for a wrong option */
export function toSettings(options: OidcOptions, ownPreset: Preset = usual): OidcSettings {
  checkOptions(subject, options, checks)
  const clientChecks = {
    client_id: isName,
    client_secret: isName,
    jwks: isKeySet,
    redirect_uris: isTexts,
    post_logout_redirect_uris: isTexts,
  }
  for (const client of options.clients ?? []) {
    checkOptions(`${subject}, a client`, client, clientChecks, ['client_id'])
    for (const uri of client.redirect_uris ?? []) checkRedirect(uri)
  }
  const preset = options.preset === undefined ? ownPreset : presets[options.preset]
  const { issuer = '' } = options
  const issuerOrigin = originIn(issuer)
  const issuerPath = toBase(issuer.slice(issuerOrigin?.length ?? 0))
  if (options.preset !== undefined && issuerPath !== '') {
    throw wrong(
      subject,
      `the preset "${options.preset}" has its own path. Please leave the path out of "issuer".`,
    )
  }
  const root = issuerPath === '' && issuerOrigin === undefined ? '/oidc' : issuerPath
  return {
    users: options.users ?? 'users',
    preset,
    paths: toPaths(preset, options.tenant ?? preset.tenant, root),
    origin: issuerOrigin,
    clients: options.clients,
    auto: options.auto === undefined ? undefined : String(options.auto),
    claims: options.claims ?? {},
    algorithm: options.algorithm ?? 'RS256',
    expires: toMilliseconds(options.expires ?? '1h'),
    refreshExpires: toMilliseconds(options.refreshExpires ?? '30d'),
  }
}

/** Fills the tenant and the root of the issuer into the paths of a preset. */
function toPaths({ issuer, paths }: Preset, tenant: string, root: string): Paths {
  const write = (path: string): string =>
    path.replace(':root', root).replace(':tenant', encodeURIComponent(tenant))
  const own = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, write(path)]))
  const prefix = write(issuer)
  return {
    issuer: prefix,
    discovery: `${prefix.replace(/\/$/, '')}/.well-known/openid-configuration`,
    page: `${own['authorize']}/login`,
    ...(own as unknown as Preset['paths']),
  }
}

function checkRedirect(uri: string): void {
  if (/^[a-z][a-z\d+.-]*:[^\s#\\]+$/i.test(uri) && !/^(?:javascript|data|vbscript):/i.test(uri))
    return
  throw wrong(
    subject,
    `"${uri}" is no redirect address. Please write an absolute URL without a fragment, such as "http://localhost:5173/callback".`,
  )
}
