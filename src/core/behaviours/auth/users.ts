import { wrong } from '../../errors/check.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Store } from '../../store/store.ts'
import { passwordCheck, toStandIn } from '../../text/stand-in.ts'
import type { AuthSettings } from './options.ts'

/** Creates the lookup of users by id, password or API key. Each call reads the store. */
export function createUsers(settings: AuthSettings, store: Store, isActive: IsActive): Users {
  const { users: name, by, password: field, isPasswordNamed, key, schemes } = settings
  const secrets = [field ?? 'password', ...(schemes.includes('apiKey') ? [key.field] : [])]
  const collection = (): Collection => store.collection(name)

  function find(
    exchange: Exchange,
    matches: (user: JsonRecord) => boolean,
  ): JsonRecord | undefined {
    return collection()
      .records()
      .find((user) => matches(user) && isActive(user, exchange))
  }

  /** A user without a password accepts any, unless the option `password` was given. */
  function isPassword(user: JsonRecord, password: string | undefined): boolean {
    const expected = field === undefined ? undefined : ownValue(user, field)
    if (expected === undefined) return field === undefined || !isPasswordNamed
    if (password === undefined) return false
    const text = toCredential(expected)
    return text === password || text === toStandIn(passwordCheck([password]))
  }

  return {
    get(id, exchange) {
      const user = collection().get(id)
      return user && isActive(user, exchange) ? user : undefined
    },
    byPassword: (given, password, exchange) =>
      find(
        exchange,
        (user) =>
          by.some((name) => toCredential(ownValue(user, name)) === given) &&
          isPassword(user, password),
      ),
    byKey: (given, exchange) =>
      find(exchange, (user) => toCredential(ownValue(user, key.field)) === given),
    idOf: (user) => user[collection().idField] as string | number,
    secrets,
    withoutSecrets(user) {
      if (!secrets.some((secret) => Object.hasOwn(user, secret))) return user
      const presented = { ...user }
      for (const secret of secrets) delete presented[secret]
      return presented
    },
    keepSecrets(user, previous = {}) {
      const missing = secrets.filter(
        (secret) => !Object.hasOwn(user, secret) && Object.hasOwn(previous, secret),
      )
      const complete = { ...user }
      for (const secret of missing) define(complete, secret, previous[secret])
      return complete
    },
  }
}

/** The users who can log in. Methods that find a user ignore users who are not active. */
export interface Users {
  get(id: string, exchange: Exchange): JsonRecord | undefined
  byPassword(name: string, password: string | undefined, exchange: Exchange): JsonRecord | undefined
  byKey(key: string, exchange: Exchange): JsonRecord | undefined
  idOf(user: JsonRecord): string | number
  /** The fields that no response contains. */
  secrets: readonly string[]
  withoutSecrets(user: JsonRecord): JsonRecord
  /** Copies the missing secret fields from the previous record, as clients never receive them. */
  keepSecrets(user: JsonRecord, previous: JsonRecord | undefined): JsonRecord
}

/** Returns whether a user can log in: no behaviour besides `auth` hides the record. */
export type IsActive = (user: JsonRecord, exchange: Exchange) => boolean

/** Creates the check that hides soft-deleted users from logins; the read rules of `auth` don't affect logins. */
export function createIsActive({ host }: Pick<MockContext, 'host'>, users: string): IsActive {
  return (user, exchange) =>
    host().behaviours.every(
      ({ name, view }) =>
        name === 'auth' || (view?.(users, exchange, users)?.includes?.(user) ?? true),
    )
}

/** Checks the fields of users. @throws MockError when no user has those that `by` and `password` name */
export function checkUsers(settings: AuthSettings, store: Store): void {
  const { users, by, isByNamed, password, isPasswordNamed, owners } = settings
  const records = store.collection(users).records()
  const isUnused = (field: string): boolean =>
    records.length > 0 && !records.some((record) => Object.hasOwn(record, field))
  if (isByNamed && by.every(isUnused)) {
    throw missingField(users, by.join('" or "'), 'Please add one, or name another with "by".')
  }
  for (const { of } of Object.values(owners)) {
    if (of !== undefined && isUnused(of)) {
      throw missingField(users, of, 'Please add one, or name another with "of".')
    }
  }
  if (password !== undefined && isPasswordNamed && isUnused(password)) {
    const advice = 'or let any password do with "password: false".'
    throw missingField(users, password, `Please add one, or name another, ${advice}`)
  }
}

function missingField(users: string, field: string, advice: string): MockError {
  const reason = `no record of "${users}" has a field "${field}". ${advice}`
  return wrong('the options of "auth"', reason)
}

/** Converts a login name, password or key to a string: fixtures may contain numbers. */
export function toCredential(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** Returns the roles of a user, from the fields `role` and `roles`. */
export function rolesOf(user: JsonRecord): string[] {
  return [ownValue(user, 'role'), ownValue(user, 'roles')]
    .flat()
    .filter((role) => typeof role === 'string')
}
