import { isId } from '../../store/records/ids.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange, Service, View, Write } from '../../http/contract/exchange.ts'
import { toMatcher } from '../../http/routing/matcher.ts'
import { memberPath } from '../../http/routing/member-path.ts'
import { isSafe } from '../../http/routing/methods.ts'
import { findTarget, type Target } from '../../http/routing/target.ts'
import { define, type JsonRecord, ownValue } from '../../json/json.ts'
import type { AuthSettings, OwnerOptions } from './options.ts'
import type { Refusals } from './refusals.ts'
import { rolesOf, type Users } from './users.ts'

/** Who may do what. */
export interface Permissions {
  /** Why the user of a request may not send it, if so. */
  judge(exchange: Exchange): MockError | undefined
  /** How the user of a request sees the records of a collection. */
  view(collection: string, exchange: Exchange): View | undefined
  /** @throws MockError 403 when a request is about to write a record that is somebody else's */
  reach(exchange: Exchange): void
  /** Gives a new record its owner. */
  own(write: Write, exchange: Exchange): void
  /** @throws MockError 403 when the record that is there is somebody else's */
  admit(write: Write, exchange: Exchange): void
  /** @throws MockError 403 when the record would be somebody else's */
  check(write: Write, exchange: Exchange): void
}

/** Creates the rules of who may do what. */
export function createPermissions(
  settings: AuthSettings,
  users: Users,
  refusals: Refusals,
  service: Service,
): Permissions {
  const { base, store } = service
  const isPublic = settings.public.map((text) => toMatcher(text, base))
  const isProtected = settings.protect.map((text) => toMatcher(text, base))
  const roles = settings.roles.map(([text, some]) => ({ matches: toMatcher(text, base), some }))

  function judge(exchange: Exchange): MockError | undefined {
    const { user } = exchange
    const needed = roles.filter(({ matches }) => matches(exchange)).map(({ some }) => some)
    const isOpen = needed.length === 0 && isPublic.some((matches) => matches(exchange))
    if (isOpen) return undefined
    if (needed.length === 0 && !isProtected.some((matches) => matches(exchange))) return undefined
    if (!user) return refusals.anonymous()
    const held = rolesOf(user)
    const lacking = needed.find((some) => !some.some((role) => held.includes(role)))
    if (!lacking) return undefined
    return refusals.forbidden(
      `Failed to ${exchange.method} "${exchange.path}": it takes the role ${lacking.join(' or ')}.`,
      lacking,
    )
  }

  /** The rule of a collection's owners, where it counts for the user of the request. */
  function ruleOf(collection: string, { user }: Exchange): Required<OwnerOptions> | undefined {
    const rule = ownValue(settings.owners, collection)
    const held = user ? rolesOf(user) : []
    return rule?.except.some((role) => held.includes(role)) ? undefined : rule
  }

  /** The key of the owner of what is written, where one counts; who adds a user need be none. */
  function ownerKey({ resource, previous }: Write, exchange: Exchange): string | undefined {
    const rule = ruleOf(resource.name, exchange)
    if (!rule || resource.kind !== 'collection') return undefined
    return previous || rule.key !== resource.idField ? rule.key : undefined
  }

  function isOwn(record: JsonRecord, key: string, user: JsonRecord | undefined): boolean {
    if (!user || !Object.hasOwn(record, key)) return false
    return [record[key]].flat().some((id) => isId(id) && String(id) === String(users.idOf(user)))
  }

  function foreign(collection: string, { user }: Exchange): MockError {
    if (!user) return refusals.anonymous()
    return refusals.forbidden(`Failed to reach the record in "${collection}": it is not yours.`)
  }

  /** @throws MockError when there is a record that is somebody else's */
  function claim(
    { name }: Write['resource'],
    record: JsonRecord | undefined,
    key: string | undefined,
    exchange: Exchange,
  ): void {
    if (!record || key === undefined || isOwn(record, key, exchange.user)) return
    throw foreign(name, exchange)
  }

  /** Why what is embedded, or a parent, could not be asked for on its own. */
  function judgeRead(collection: string, exchange: Exchange): MockError | undefined {
    const resource = store.resources.get(collection)
    const path = `${base}/${collection}`
    const isAskedFor =
      collection === exchange.target?.resource.name || exchange.path.startsWith(`${path}/`)
    if (isAskedFor || resource?.kind !== 'collection') return undefined
    return judge({ ...exchange, method: 'GET', path, target: { kind: 'collection', resource } })
  }

  /** Why what a request names to go with a record could not be removed on its own. */
  function judgeRemoval(
    { action, resource, id }: Write,
    exchange: Exchange,
  ): MockError | undefined {
    const { service, params, target } = exchange
    const isNamed = (service.dialect.parseDependents?.(params) ?? []).length > 0
    const isOther = action === 'remove' && resource !== target?.resource
    if (!isNamed || !isOther || id === undefined || resource.kind !== 'collection') return undefined
    const path = memberPath(base, resource.name, id)
    return judge({ ...exchange, path, target: { kind: 'member', resource, id } })
  }

  /** The record that a request is about: the one at its path or, for an action on one, above it. */
  function reached({ target, path }: Exchange): Target | undefined {
    if (target) return target
    try {
      return findTarget(path.replace(/\/[^/]*\/?$/, ''), service)
    } catch (error) {
      if (error instanceof MockError) return undefined
      throw error
    }
  }

  return {
    judge,
    reach(exchange) {
      const target = isSafe(exchange.method) ? undefined : reached(exchange)
      if (target?.kind !== 'member') return
      const { resource, id } = target
      claim(resource, resource.get(id), ruleOf(resource.name, exchange)?.key, exchange)
    },
    view(collection, exchange) {
      const rule = ruleOf(collection, exchange)
      const refusal = judgeRead(collection, exchange)
      if (refusal) return { includes: () => false, refuse: () => refusal }
      if (rule?.read !== 'own') return undefined
      return {
        includes: (record) => isOwn(record, rule.key, exchange.user),
        refuse: () => foreign(collection, exchange),
      }
    },
    own(write, exchange) {
      const rule = ruleOf(write.resource.name, exchange)
      const { record, previous, resource } = write
      if (!rule || !record || !exchange.user || resource.kind !== 'collection') return
      if (rule.key === resource.idField || (record[rule.key] ?? null) !== null) return
      write.record = { ...record }
      define(write.record, rule.key, previous?.[rule.key] ?? users.idOf(exchange.user))
    },
    admit(write, exchange) {
      const refusal = judgeRemoval(write, exchange)
      if (refusal) throw refusal
      const key = ownerKey(write, exchange)
      const { resource, previous } = write
      if (key === undefined) return
      if (previous ? isOwn(previous, key, exchange.user) : exchange.user) return
      throw foreign(resource.name, exchange)
    },
    check(write, exchange) {
      claim(write.resource, write.record, ownerKey(write, exchange), exchange)
    },
  }
}
