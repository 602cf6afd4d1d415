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
import { describeEndpoints } from './describe-endpoints.ts'
import { routesOf } from './endpoints.ts'
import type { AuthSettings } from './options.ts'
import { describeSchemes } from './schemes.ts'
import type { Users } from './users.ts'

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
