import { isId } from '../../store/records/ids.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import type { Service } from '../../http/contract/service.ts'
import type { View } from '../../http/contract/record-view.ts'
import { toMatcher } from '../../http/routing/matcher.ts'
import { sourceOf } from '../../http/routing/named-resources.ts'
import {
  memberPath,
  findTarget,
  resourcePath,
  type Target,
  toTarget,
} from '../../http/routing/target.ts'
import { isSafe } from '../../http/contract/messages.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { AuthSettings, OwnerRule } from './options.ts'
import type { Refusals } from './schemes.ts'
import { rolesOf, type Users } from './users.ts'

/** Creates the checks of the options `protect`, `public`, `roles` and `owners` of `auth`. */
export function createPermissions(
  settings: AuthSettings,
  users: Users,
  refusals: Refusals,
  service: Service,
): Permissions {
  const { base, store } = service
  const publicMatchers = settings.public.map((text) => toMatcher(text))
  const protectedMatchers = settings.protect.map((text) => toMatcher(text))
  const rules = settings.roles.map(([text, roles]) => ({ matches: toMatcher(text), roles }))

  function refusalOf(exchange: Exchange): MockError | undefined {
    const { user, isTrusted = false } = exchange
    if (isTrusted) return undefined
    const needed = rules.filter(({ matches }) => matches(exchange)).map(({ roles }) => roles)
    const isProtected =
      protectedMatchers.some((matches) => matches(exchange)) &&
      !publicMatchers.some((matches) => matches(exchange))
    if (needed.length === 0 && !isProtected) return undefined
    if (!user) return refusals.anonymous()
    const userRoles = rolesOf(user)
    const missing = needed.find((roles) => !roles.some((role) => userRoles.includes(role)))
    if (!missing) return undefined
    return refusals.forbidden(
      `Failed to ${exchange.method} "${exchange.request.path}": it requires the role ${missing.join(' or ')}.`,
      missing,
    )
  }

  /** Returns the owner rule of a collection, unless a role of the user exempts the request. */
  function ruleOf(collection: string, { user, isTrusted }: Exchange): OwnerRule | undefined {
    if (isTrusted) return undefined
    const rule = ownValue(settings.owners, sourceOf(service.rules, collection))
    const userRoles = user ? rolesOf(user) : []
    return rule?.except.some((role) => userRoles.includes(role)) ? undefined : rule
  }

  /** With `owners: { users: 'id' }`, the rule does not apply to a new user, whose id does not exist yet. */
  function ownerRule(
    { resource, previous, isOpen }: Write,
    exchange: Exchange,
  ): OwnerRule | undefined {
    if (isOpen) return undefined
    const rule = ruleOf(resource.name, exchange)
    if (!rule || resource.kind !== 'collection') return undefined
    return previous || rule.key !== resource.idField ? rule : undefined
  }

  /** Returns the value of the user by which records are the user's own: the id, or a field. */
  function ownerValue(user: JsonRecord, { of }: OwnerRule): Json | undefined {
    return of === undefined ? users.idOf(user) : ownValue(user, of)
  }

  function isOwn(record: JsonRecord, rule: OwnerRule, user: JsonRecord | undefined): boolean {
    if (!user || !Object.hasOwn(record, rule.key)) return false
    const values = [ownerValue(user, rule)].flat().filter(isId).map(String)
    return [record[rule.key]].flat().some((id) => isId(id) && values.includes(String(id)))
  }

  function foreign(collection: string, { user }: Exchange): MockError {
    if (!user) return refusals.anonymous()
    return refusals.forbidden(
      `Failed to access the record in "${collection}": it belongs to another user.`,
    )
  }

  /** @throws MockError when a record belongs to another owner */
  function checkOwner(
    { name }: Write['resource'],
    record: JsonRecord | undefined,
    rule: OwnerRule | undefined,
    exchange: Exchange,
  ): void {
    if (!record || !rule || isOwn(record, rule, exchange.user)) return
    throw foreign(name, exchange)
  }

  function readRefusalOf(collection: string, exchange: Exchange): MockError | undefined {
    const resource = store.resources.get(collection)
    const path = `${base}/${collection}`
    const { name = '' } = exchange.target?.resource ?? {}
    // A view is a path of its own, which may show what the path of its collection does not.
    const isRequested =
      collection === sourceOf(service.rules, name) || exchange.path.startsWith(`${path}/`)
    if (isRequested || resource?.kind !== 'collection') return undefined
    const direct = { ...exchange, method: 'GET', target: { kind: 'collection', resource } as const }
    return refusalOf(atPath(direct, path))
  }

  /** Returns the error that a direct request for a write would get, such as the DELETE of a named dependent. */
  function writeRefusalOf(
    { action, resource, id, asksPermission }: Write,
    exchange: Exchange,
  ): MockError | undefined {
    const { service, params, target } = exchange
    const namesDependents = (service.dialect.parseDependents?.(params) ?? []).length > 0
    const isDependent = namesDependents && action === 'remove' && resource !== target?.resource
    if (!isDependent && !asksPermission) return undefined
    const { name } = resource
    const method = { create: 'POST', replace: 'PUT', patch: 'PATCH', remove: 'DELETE' }[action]
    const path = id === undefined ? resourcePath(base, name) : memberPath(base, name, id)
    return refusalOf(atPath({ ...exchange, method, target: toTarget(resource) }, path))
  }

  /** Returns the target of a request: at its path or, for an action such as `/orders/1/ship`, one segment above. */
  function targetOf({ target, path }: Exchange): Target | undefined {
    if (target) return target
    try {
      return findTarget(path.replace(/\/[^/]*\/?$/, ''), service)
    } catch (error) {
      if (error instanceof MockError) return undefined
      throw error
    }
  }

  /** Whether a request is an action that is open to users who do not own the record. */
  function isOpenAction({ method, path }: Exchange, resource: string): boolean {
    const [, action = ''] = /([^/]*)\/?$/.exec(path) ?? []
    const { openActions = [] } = ownValue(service.rules, resource) ?? {}
    return openActions.includes(`${method} ${action}`)
  }

  return {
    check(exchange) {
      const refusal = refusalOf(exchange)
      if (refusal) throw refusal
      // Refuses the write before an error of the write reveals the record of another user.
      const target = isSafe(exchange.method) ? undefined : targetOf(exchange)
      if (target?.kind !== 'member' || isOpenAction(exchange, target.resource.name)) return
      const { resource, id } = target
      checkOwner(resource, resource.get(id), ruleOf(resource.name, exchange), exchange)
    },
    view(collection, exchange) {
      const rule = ruleOf(collection, exchange)
      const refusal = readRefusalOf(collection, exchange)
      if (refusal) return { includes: () => false, refuse: () => refusal }
      if (rule?.read !== 'own') return undefined
      return {
        includes: (record) => isOwn(record, rule, exchange.user),
        refuse: () => foreign(collection, exchange),
      }
    },
    setOwner(write, exchange) {
      const { record, previous, resource } = write
      const rule = ownValue(settings.owners, resource.name)
      if (!rule || !record || !exchange.user || resource.kind !== 'collection') return
      const { key } = rule
      const owner = ownValue(record, key)
      // Only a user with an exempt role can store a record without an owner.
      const isExempt = ruleOf(resource.name, exchange) === undefined
      const isGiven = owner !== undefined && (isExempt || owner !== null)
      if (key === resource.idField || isGiven) return
      write.record = { ...record }
      const value = previous?.[key] ?? ownerValue(exchange.user, rule)
      if (value !== undefined) define(write.record, key, value)
    },
    checkPrevious(write, exchange) {
      const refusal = writeRefusalOf(write, exchange)
      if (refusal) throw refusal
      const rule = ownerRule(write, exchange)
      const { resource, previous } = write
      if (!rule) return
      if (previous ? isOwn(previous, rule, exchange.user) : exchange.user) return
      throw foreign(resource.name, exchange)
    },
    checkRecord(write, exchange) {
      checkOwner(write.resource, write.record, ownerRule(write, exchange), exchange)
    },
  }
}

/** A request that is sent to another path, so that patterns do not see the path of this one. */
function atPath(exchange: Exchange, path: string): Exchange {
  return { ...exchange, path, request: { ...exchange.request, path, received: undefined } }
}

/** Decides what the user of a request may do. */
export interface Permissions {
  /** @throws MockError 401 or 403 when the user may not send a request, or would write a record of another owner */
  check(exchange: Exchange): void
  view(collection: string, exchange: Exchange): View | undefined
  setOwner(write: Write, exchange: Exchange): void
  /** @throws MockError 403 when the stored record belongs to another owner */
  checkPrevious(write: Write, exchange: Exchange): void
  /** @throws MockError 403 when the new record would belong to another owner */
  checkRecord(write: Write, exchange: Exchange): void
}
