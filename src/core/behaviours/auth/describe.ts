import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../../http/contract/description.ts'
import { ownValue } from '../../json/json.ts'
import type { Store } from '../../store/store.ts'
import type { Header, SecurityRequirement } from '../../types/openapi.ts'
import type { FieldDescription } from '../../types/record-description.ts'
import { type Coverage, coverageOf, isOn } from '../shared/coverage.ts'
import type { Issuer } from '../shared/issuers.ts'
import { routesOf } from './endpoints.ts'
import type { AuthSettings, AnsweredEndpoint } from './options.ts'
import { describeSchemes } from './schemes.ts'
import type { Users } from './users.ts'
import type { DescribedRoute } from '../../dialects/contract/description.ts'
import { recordTypes } from '../../http/resource/body.ts'
import { schemaOf, toSchemas } from '../../text/template.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import { loginVariables } from './answers.ts'

/** Describes what `auth` adds to the OpenAPI document. */
export function describeAuth(
  settings: AuthSettings,
  { secrets }: Users,
  store: Store,
  issuers: readonly Issuer[],
): Description {
  return {
    records: describeRecords(settings, secrets, store),
    securitySchemes: describeSchemes(settings),
    operation: (operation) => describeOperation(settings, operation, issuers),
    routes: (schemaOf) => describeEndpoints(settings, schemaOf(settings.users)),
  }
}

function describeRecords(
  { users, owners }: AuthSettings,
  secrets: readonly string[],
  store: Store,
): NonNullable<Description['records']> {
  const records: Record<string, { fields: Record<string, FieldDescription> }> = {}
  for (const [name, { key, of }] of Object.entries(owners)) {
    const isId = of === undefined
    records[name] = { fields: { [key]: { isFilled: true, ...(isId && { idsOf: users }) } } }
  }
  const keys = store.collection(users).keys()
  for (const name of secrets.filter((one) => keys.has(one))) {
    const { fields } = ownValue(records, users) ?? {}
    records[users] = { fields: { ...fields, [name]: { schema: { writeOnly: true } } } }
  }
  return records
}

const challenge: Readonly<Record<string, Header>> = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
}

function describeOperation(
  settings: AuthSettings,
  operation: OperationFacts,
  issuers: readonly Issuer[],
): OperationDescription | undefined {
  const { method, path, kind } = operation
  if (method === 'OPTIONS' || issuers.some(({ owns }) => owns(method, path))) return undefined
  const route = routesOf(settings).find((one) => one.path === path && one.methods.includes(method))
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
  const names = [...Object.keys(describeSchemes(settings)), ...issuers.map(({ scheme }) => scheme)]
  const requirements: SecurityRequirement[] = names.map((name) => ({ [name]: [] }))
  const isOwned = Object.keys(settings.owners).some((name) => isOn(name, operation))
  const hasRules = settings.roles.length > 0 || Object.keys(settings.owners).length > 0
  const canForbid = roles.length > 0 || isOwned || (method === 'DELETE' && hasRules)
  const needed = [...new Set(roles.flatMap(([, own]) => own))]
  return {
    ...(needsUser && { security: requirements }),
    ...(!needsUser && !isPublic && { security: [...requirements, {}] }),
    ...(needed.length > 0 && {
      notes: [`Needs the role ${needed.map((name) => `\`${name}\``).join(' or ')}.`],
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

/** Describes the operations of the endpoints for the OpenAPI document; `user` is the schema of users. */
function describeEndpoints(settings: AuthSettings, user: JsonSchema): DescribedRoute[] {
  const {
    schemes,
    identifiers,
    password = 'password',
    answers,
    word = 'Bearer',
    statuses,
  } = settings
  const hasTokens = schemes.includes('bearer')
  const hasRefreshToken = hasTokens && !settings.isRefreshedByAccess
  const hasCookies = schemes.includes('cookie')
  const headers: Readonly<Record<string, Header>> = hasCookies
    ? { 'Set-Cookie': { description: 'The cookie of the session.', schema: text } }
    : {}
  const granted = {
    ...(hasTokens && {
      access_token: text,
      token_type: { type: 'string', enum: [word] },
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text,
    }),
    user,
  }
  const login: JsonSchema = {
    type: 'object',
    required: Object.keys(granted),
    properties: granted,
  }
  const answerOf = (endpoint: AnsweredEndpoint, schema: JsonSchema): JsonSchema | undefined => {
    const template = answers[endpoint]
    if (template === null) return undefined
    return template === undefined ? schema : schemaOf(template, toSchemas(loginVariables, { user }))
  }
  const bodyOf = (names: readonly string[]): Record<string, JsonSchema> => {
    const properties = Object.fromEntries(names.map((name) => [name, text]))
    return Object.fromEntries(recordTypes.map((type) => [type, { type: 'object', properties }]))
  }
  const bodyErrors = {
    413: 'The body is too large.',
    415: 'The media type of the body is not supported.',
    422: 'A field is missing.',
  }
  const me = {
    recordsOf: settings.users,
    responses:
      answers.me === undefined
        ? {}
        : { 200: { description: 'The user.', schema: answerOf('me', user) } },
  }
  const change = {
    ...me,
    errors: {
      ...bodyErrors,
      406: 'The header `Accept` does not allow JSON.',
      409: 'The JSON Patch does not apply to the record.',
      412: 'A precondition of the request does not hold.',
      422: 'A field is invalid.',
    },
  }
  const known: Readonly<Record<string, Omit<DescribedRoute, 'path' | 'method'>>> = {
    'POST login': {
      operationId: 'login',
      summary: 'Log in',
      body: bodyOf([...identifiers, password]),
      responses: {
        [statuses.login ?? 200]: {
          description: 'The user is logged in.',
          schema: answerOf('login', login),
          headers,
        },
      },
      errors: { ...bodyErrors, 401: 'The name or the password is wrong.' },
    },
    'POST logout': {
      operationId: 'logout',
      summary: 'Log out',
      responses: {
        [statuses.logout ?? (answers.logout === undefined ? 204 : 200)]: {
          description: 'The user is logged out.',
          headers,
          ...(answers.logout !== undefined && { schema: answerOf('logout', user) }),
        },
      },
    },
    'POST refresh': {
      operationId: 'refresh',
      summary: 'Renew the login',
      ...(hasRefreshToken && { body: bodyOf(['refresh_token']), isBodyRequired: !hasCookies }),
      responses: {
        ...(hasTokens && {
          200: { description: 'New tokens.', schema: answerOf('refresh', login) },
        }),
        ...(hasCookies && { 204: { description: 'The session is extended.', headers } }),
      },
      errors: { ...(hasTokens && bodyErrors), 401: 'The login has ended.' },
    },
    'POST register': {
      operationId: 'register',
      summary: 'Create a user and log in',
      recordsOf: settings.users,
      responses: {
        [statuses.register ?? 201]: {
          description: 'The new user is logged in.',
          schema: answerOf('register', login),
          headers,
        },
      },
      errors: {
        ...bodyErrors,
        406: 'The header `Accept` does not allow JSON.',
        409: 'There is a user with this id.',
        422: 'A field is invalid.',
      },
    },
    'GET me': { operationId: 'getMe', summary: 'Get the user who is logged in', ...me },
    'PUT me': { operationId: 'replaceMe', summary: 'Replace the user who is logged in', ...change },
    'PATCH me': { operationId: 'updateMe', summary: 'Update the user who is logged in', ...change },
  }
  return routesOf(settings).flatMap(({ endpoint, path, methods }) =>
    (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).flatMap((method): DescribedRoute[] => {
      const own = known[`${method} ${endpoint}`] ?? known[`POST ${endpoint}`]
      const route = methods.includes(method) ? own : undefined
      return route ? [{ ...route, method, path }] : []
    }),
  )
}
