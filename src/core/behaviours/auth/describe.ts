import type { DescribedRoute } from '../../dialects/contract/description.ts'
import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../../http/contract/description.ts'
import { recordTypes } from '../../http/resource/body.ts'
import type { Store } from '../../store/store.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header, SecurityRequirement, SecurityScheme } from '../../types/openapi.ts'
import type { FieldDescription } from '../../types/record-description.ts'
import { type Coverage, coverageOf, isOn } from '../shared/coverage.ts'
import { routesOf } from './endpoints.ts'
import type { AuthEndpoint, AuthScheme, AuthSettings } from './options.ts'
import type { Users } from './users.ts'

/**
 * Describes what `auth` adds to the OpenAPI document: the required authentication and roles, the endpoints of
 * logins, and the fields that responses leave out.
 */
export function describeAuth(
  settings: AuthSettings,
  { secrets }: Users,
  store: Store,
): Description {
  return {
    records: describeRecords(settings, secrets, store),
    securitySchemes: Object.fromEntries(schemesOf(settings)),
    operation: (operation) => describeOperation(settings, operation),
    routes: (schemaOf) => describeRoutes(settings, schemaOf(settings.users)),
  }
}

/** Describes the fields of owners, which the mock sets, and the secret fields of users, which no response has. */
function describeRecords(
  { users, owners }: AuthSettings,
  secrets: readonly string[],
  store: Store,
): NonNullable<Description['records']> {
  const ownerFields = Object.entries(owners).map(
    ([name, { key }]) => [name, { [key]: { isFilled: true, idsOf: users } }] as const,
  )
  const keys = store.collection(users).keys()
  const secretFields = secrets
    .filter((name) => keys.has(name))
    .map((name) => [name, { schema: { writeOnly: true } }] as const)
  const fields: Record<string, Record<string, FieldDescription>> = Object.fromEntries(ownerFields)
  if (secretFields.length > 0) {
    fields[users] = { ...fields[users], ...Object.fromEntries(secretFields) }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, own]) => [name, { fields: own }]))
}

function schemesOf({ schemes, tokens, cookie, key }: AuthSettings): [string, SecurityScheme][] {
  const all: Record<AuthScheme, [string, SecurityScheme][]> = {
    bearer: [
      [
        'bearer',
        { type: 'http', scheme: 'bearer', ...(tokens === 'jwt' && { bearerFormat: 'JWT' }) },
      ],
    ],
    basic: [['basic', { type: 'http', scheme: 'basic' }]],
    apiKey: [
      ['apiKey', { type: 'apiKey', in: 'header', name: key.header }],
      ['apiKeyInQuery', { type: 'apiKey', in: 'query', name: key.query }],
    ],
    cookie: [['cookie', { type: 'apiKey', in: 'cookie', name: cookie }]],
  }
  return schemes.flatMap((name) => all[name])
}

const challenge: Readonly<Record<string, Header>> = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
}

function describeOperation(
  settings: AuthSettings,
  operation: OperationFacts,
): OperationDescription | undefined {
  const { method, path, kind } = operation
  if (method === 'OPTIONS') return undefined
  const route = routesOf(settings).find((one) => one.path === path)
  const headersOf = { 400: challenge, 401: challenge, 403: challenge }
  if (route && route.endpoint !== 'me') return { headersOf }
  const coverage = (patterns: readonly string[]): Coverage => coverageOf(patterns, operation, true)
  const roles = settings.roles.filter(([pattern]) => coverage([pattern]) !== 'none')
  const needsRole = roles.some(([pattern]) => coverage([pattern]) === 'all')
  const protection = coverage(settings.protect)
  const exemption = coverage(settings.public)
  const needsUser =
    route !== undefined || needsRole || (protection === 'all' && exemption === 'none')
  const isPublic = roles.length === 0 && (protection === 'none' || exemption === 'all')
  const requirements: SecurityRequirement[] = schemesOf(settings).map(([name]) => ({ [name]: [] }))
  const isOwned = Object.keys(settings.owners).some((name) => isOn(name, operation))
  const hasRules = settings.roles.length > 0 || Object.keys(settings.owners).length > 0
  const canForbid = roles.length > 0 || isOwned || (method === 'DELETE' && hasRules)
  const names = [...new Set(roles.flatMap(([, own]) => own))]
  return {
    ...(needsUser && { security: requirements }),
    ...(!needsUser && !isPublic && { security: [...requirements, {}] }),
    ...(names.length > 0 && {
      notes: [`Needs the role ${names.map((name) => `\`${name}\``).join(' or ')}.`],
    }),
    errors: {
      401:
        isPublic && kind !== 'custom'
          ? 'The credentials are invalid.'
          : 'The credentials are missing or invalid.',
      ...(settings.schemes.includes('bearer') && { 400: 'The credentials are malformed.' }),
      ...(canForbid && route === undefined && { 403: 'The user may not do this.' }),
    },
    headersOf,
  }
}

const text = { type: 'string' }

function describeRoutes(settings: AuthSettings, user: JsonSchema): DescribedRoute[] {
  const { schemes, by, password = 'password' } = settings
  const hasTokens = schemes.includes('bearer')
  const hasCookies = schemes.includes('cookie')
  const setCookie: Readonly<Record<string, Header>> = hasCookies
    ? { 'Set-Cookie': { description: 'The cookie of the session.', schema: text } }
    : {}
  const grant = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  })
  const tokens = {
    access_token: text,
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Seconds.' },
    refresh_token: text,
  }
  const login = grant({ ...(hasTokens && tokens), user })
  const bodyOf = (schema: JsonSchema): Record<string, JsonSchema> =>
    Object.fromEntries(recordTypes.map((type) => [type, schema]))
  const bodyErrors = {
    413: 'The body is too large.',
    415: 'The media type of the body is not supported.',
    422: 'A field is missing.',
  }
  const fields = Object.fromEntries([...by, password].map((name) => [name, text]))
  const known: Record<AuthEndpoint, Omit<DescribedRoute, 'path'>> = {
    login: {
      method: 'POST',
      operationId: 'login',
      summary: 'Log in',
      body: bodyOf({ type: 'object', properties: fields }),
      responses: {
        200: { description: 'The user is logged in.', schema: login, headers: setCookie },
      },
      errors: { ...bodyErrors, 401: 'The name or the password is wrong.' },
    },
    logout: {
      method: 'POST',
      operationId: 'logout',
      summary: 'Log out',
      responses: { 204: { description: 'The user is logged out.', headers: setCookie } },
    },
    refresh: {
      method: 'POST',
      operationId: 'refresh',
      summary: 'Renew the login',
      ...(hasTokens && {
        body: bodyOf({ type: 'object', properties: { refresh_token: text } }),
        isBodyRequired: !hasCookies,
      }),
      responses: {
        ...(hasTokens && {
          200: { description: 'New tokens.', schema: grant({ ...tokens, user }) },
        }),
        ...(hasCookies && { 204: { description: 'The session is extended.', headers: setCookie } }),
      },
      errors: { ...(hasTokens && bodyErrors), 401: 'The login has ended.' },
    },
    me: {
      method: 'GET',
      operationId: 'getMe',
      summary: 'Get the user who is logged in',
      responses: { 200: { description: 'The user.', schema: user } },
    },
  }
  return routesOf(settings).map(({ endpoint, path }) => ({ ...known[endpoint], path }))
}
