import { callAll } from '../errors/check.ts'
import { configError } from '../errors/mock-error.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { ownValue } from '../json/json.ts'
import { suggest } from '../errors/nearest.ts'
import { auth } from './auth/auth.ts'
import { delay } from './delay.ts'
import { events } from './events.ts'
import { faults } from './faults/faults.ts'
import { fields } from './fields/fields.ts'
import { files } from './files/files.ts'
import { idempotency } from './idempotency.ts'
import { limit } from './limit/limit.ts'
import { oidc } from './oidc/oidc.ts'
import { createProxy as proxy } from './proxy/proxy.ts'
import { rewrite } from './rewrite.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { schema } from './schema/schema.ts'
import { sessions } from './sessions.ts'
import { states } from './states/states.ts'
import { versions } from './versions.ts'
import { webhooks } from './webhooks/webhooks.ts'

/**
 * Creates behaviours, such as `auth` or `delay`, which change how a mock answers, from the `use` object of a JSON
 * configuration, in the order of its keys. The value `true` means no options; `false` leaves the behaviour out.
 * `loaded` has the factories of behaviours that need an optional package.
 * @throws MockError that lists all unknown behaviours and wrong options
 * @example toBehaviours({ delay: '200-800', idempotency: true })
 */
export function toBehaviours(
  settings: Readonly<Record<string, unknown>>,
  loaded: Readonly<Record<string, Factory>> = {},
): Behaviour[] {
  const known: Readonly<Record<string, unknown>> = { ...factories, ...loaded }
  const created = Object.entries(settings).map(([name, options]) => (): Behaviour[] => {
    const create = ownValue(known, name) as Factory | undefined
    if (!create && !(name === 'graphql' && options === false)) {
      const advice = suggest(name, [...new Set([...Object.keys(known), 'graphql'])])
      throw configError(`Failed to use "${name}": there is no such behaviour. ${advice}`)
    }
    if (options === false || !create) return []
    return [options === true ? create() : create(options as never)]
  })
  return callAll(created).flat()
}

type Factory = (options?: never) => Behaviour

/** By the name in a JSON configuration; the options of each can be written as JSON. */
const factories = {
  auth,
  delay,
  events,
  faults,
  fields,
  files,
  idempotency,
  limit,
  oidc,
  proxy,
  rewrite,
  scenarios,
  schema,
  sessions,
  states,
  versions,
  webhooks,
}
