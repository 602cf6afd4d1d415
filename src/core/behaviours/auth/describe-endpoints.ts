import type { DescribedRoute } from '../../dialects/contract/description.ts'
import { recordTypes } from '../../http/resource/body.ts'
import { schemaOf, toSchemas } from '../../text/template.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header } from '../../types/openapi.ts'
import { loginVariables } from './answers.ts'
import { routesOf } from './endpoints.ts'
import type { AnsweredEndpoint, AuthSettings } from './options.ts'

const text = { type: 'string' }

/** Describes the operations of the endpoints for the OpenAPI document; `user` is the schema of users. */
export function describeEndpoints(settings: AuthSettings, user: JsonSchema): DescribedRoute[] {
  const { schemes, by, password = 'password', answers, word = 'Bearer' } = settings
  const hasTokens = schemes.includes('bearer')
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
      body: bodyOf([...by, password]),
      responses: {
        200: { description: 'The user is logged in.', schema: answerOf('login', login), headers },
      },
      errors: { ...bodyErrors, 401: 'The name or the password is wrong.' },
    },
    'POST logout': {
      operationId: 'logout',
      summary: 'Log out',
      responses: { 204: { description: 'The user is logged out.', headers } },
    },
    'POST refresh': {
      operationId: 'refresh',
      summary: 'Renew the login',
      ...(hasTokens && { body: bodyOf(['refresh_token']), isBodyRequired: !hasCookies }),
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
        201: {
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
    (['GET', 'POST', 'PUT', 'PATCH'] as const).flatMap((method): DescribedRoute[] => {
      const route = methods.includes(method) ? known[`${method} ${endpoint}`] : undefined
      return route ? [{ ...route, method, path }] : []
    }),
  )
}
