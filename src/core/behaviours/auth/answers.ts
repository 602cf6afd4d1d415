import type { LoginTokens } from '../../http/contract/exchange.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Variable } from '../../text/template.ts'
import type { JsonSchema } from '../../types/json-schema.ts'

/** The facts about a login that the answers of `auth` can have. */
export interface LoginFacts {
  /** The user as responses show the record. */
  user: JsonRecord
  tokens: Partial<LoginTokens>
}

const optionalText: JsonSchema = { type: ['string', 'null'] }

/** The variables of the options `answer` and `answers`. */
export const loginVariables: readonly Variable<LoginFacts, { user: JsonSchema }>[] = [
  { name: 'user', value: ({ user }) => user, schema: ({ user }) => user },
  {
    name: 'accessToken',
    value: ({ tokens }) => tokens.access_token ?? null,
    schema: optionalText,
  },
  {
    name: 'refreshToken',
    value: ({ tokens }) => tokens.refresh_token ?? null,
    schema: optionalText,
  },
  { name: 'tokenType', value: ({ tokens }) => tokens.token_type ?? null, schema: optionalText },
  {
    name: 'expiresInMs',
    value: ({ tokens: { expires_in: seconds } }) => (seconds === undefined ? null : seconds * 1000),
    schema: { type: ['integer', 'null'], description: 'Milliseconds.' },
  },
  {
    name: 'expiresIn',
    value: ({ tokens }) => tokens.expires_in ?? null,
    schema: { type: ['integer', 'null'], description: 'Seconds.' },
  },
]
