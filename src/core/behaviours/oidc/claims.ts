import { define, type JsonRecord, ownValue } from '../../json/json.ts'
import { fill } from '../../text/template.ts'
import { rolesOf } from '../auth/users.ts'
import type { OidcSettings } from './options.ts'
import type { Grant } from './state.ts'

/** The facts from which the claims of a token are made. */
export interface ClaimFacts extends Grant {
  /** The id of the user, or of the client whose own token it is. */
  id: string
  user: JsonRecord | undefined
  issuer: string
}

/** Returns the standard claims of a user that a scope asks for (OpenID Connect Core §5.4), and those of the options. */
export function userClaims(settings: OidcSettings, facts: ClaimFacts): Record<string, unknown> {
  const { user = {} } = facts
  const scopes = scopesOf(facts.scope)
  const claims = readClaims(user, scopes)
  if (scopes.includes('profile')) Object.assign(claims, toNames(claims))
  if (claims['email'] !== undefined) claims['email_verified'] ??= true
  return { ...claims, ...presetClaims(settings, facts, 'idClaims'), ...ownClaims(settings, facts) }
}

/** Returns the standard claims of a user that have a value: those of some scopes, or all. */
function readClaims(user: JsonRecord, scopes?: readonly string[]): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  for (const [name, scope, fields] of standardClaims) {
    if (scopes && !scopes.includes(scope)) continue
    const value = fields
      .map((field) => ownValue(user, field))
      .find((one) => one !== undefined && one !== null)
    if (value !== undefined) claims[name] = value
  }
  return claims
}

/** Returns the claims that the preset gives a token. */
export function presetClaims(
  { preset, paths }: OidcSettings,
  facts: ClaimFacts,
  part: 'idClaims' | 'accessClaims',
): Record<string, unknown> {
  const { user = {}, id, client, scope, audience, issuer } = facts
  const roles = rolesOf(user)
  const email = ownValue(user, 'email') ?? null
  const values: Readonly<Record<string, unknown>> = {
    id,
    client,
    scope,
    scopes: scopesOf(scope),
    audience: audience ?? client,
    audiences: [audience ?? client, issuer + paths.userinfo],
    grantType: facts.grantType,
    session: facts.sid,
    authTime: Math.floor(facts.authTime / 1000),
    roles,
    someRoles: roles.length > 0 ? roles : null,
    tenant: /[^/]+/.exec(paths.issuer)?.[0] ?? null,
    email,
    emailDomain: typeof email === 'string' ? (email.split('@')[1] ?? null) : null,
    name: ownValue(user, 'name') ?? null,
    username: ownValue(user, 'username') ?? email ?? id,
  }
  return fill(preset[part], (name) => values[name]) as Record<string, unknown>
}

/** Returns the claims that the option `claims` adds. */
export function ownClaims({ claims }: OidcSettings, facts: ClaimFacts): Record<string, unknown> {
  const { user, client, scope } = facts
  if (!user) return {}
  if (typeof claims === 'function') return claims(user, { client, scope })
  const own: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(claims)) {
    const value = ownValue(user, field)
    if (value !== undefined) define(own, name, value)
  }
  return own
}

/** The names of a scope, without repetitions (RFC 6749 §3.3). */
export function scopesOf(scope: string): string[] {
  return [...new Set(scope.split(' ').filter(Boolean))]
}

/** The standard claims: the scope that asks for each (OpenID Connect Core §5.4), and fields of users that hold it. */
const standardClaims: readonly (readonly [claim: string, scope: string, fields: string[]])[] = [
  ['name', 'profile', ['name', 'fullName', 'full_name', 'displayName']],
  ['family_name', 'profile', ['family_name', 'familyName', 'lastName', 'last_name', 'surname']],
  ['given_name', 'profile', ['given_name', 'givenName', 'firstName', 'first_name']],
  ['middle_name', 'profile', ['middle_name', 'middleName']],
  ['nickname', 'profile', ['nickname', 'nick']],
  ['preferred_username', 'profile', ['preferred_username', 'username', 'login']],
  ['profile', 'profile', ['profile', 'profileUrl']],
  ['picture', 'profile', ['picture', 'avatar', 'avatarUrl', 'avatar_url', 'image', 'photo']],
  ['website', 'profile', ['website', 'homepage']],
  ['gender', 'profile', ['gender']],
  ['birthdate', 'profile', ['birthdate', 'birthday', 'dateOfBirth']],
  ['zoneinfo', 'profile', ['zoneinfo', 'timezone', 'timeZone']],
  ['locale', 'profile', ['locale', 'language']],
  ['updated_at', 'profile', ['updated_at', 'updatedAt']],
  ['email', 'email', ['email', 'mail']],
  ['email_verified', 'email', ['email_verified', 'emailVerified']],
  ['address', 'address', ['address']],
  ['phone_number', 'phone', ['phone_number', 'phoneNumber', 'phone']],
  ['phone_number_verified', 'phone', ['phone_number_verified', 'phoneVerified']],
]

/** The names of all claims that tokens can have, for discovery. */
export const claimNames: readonly string[] = standardClaims.map(([name]) => name)

/** The picture, name and e-mail of a user, as the login page shows them. */
export function toProfile(user: JsonRecord, id: string): Profile {
  const own = readClaims(user)
  const claims = { ...own, ...toNames(own) }
  const text = (name: string): string | undefined => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    name: text('name') ?? text('preferred_username') ?? text('email') ?? id,
    email: text('email'),
    username: text('preferred_username'),
    picture: text('picture'),
  }
}

/** A user in the list of the login page. */
export interface Profile {
  name: string
  email: string | undefined
  username: string | undefined
  picture: string | undefined
}

/** The full name from its parts, the parts from a full name, and the time of the last change in seconds. */
function toNames(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name, given_name, family_name, updated_at, address } = claims
  const parts = [given_name, family_name].filter((part) => typeof part === 'string')
  const full = typeof name === 'string' ? name : parts.join(' ')
  const [first = '', ...rest] = full.split(' ')
  const last = rest.join(' ')
  const seconds = typeof updated_at === 'string' ? Date.parse(updated_at) / 1000 : updated_at
  const isTime = typeof seconds === 'number' && Number.isFinite(seconds)
  return {
    ...(full !== '' && { name: full }),
    ...(given_name === undefined && first !== '' && { given_name: first }),
    ...(family_name === undefined && last !== '' && { family_name: last }),
    ...(isTime && { updated_at: Math.floor(seconds > 1e11 ? seconds / 1000 : seconds) }),
    ...(typeof address === 'string' && { address: { formatted: address } }),
  }
}
