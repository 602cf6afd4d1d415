import { wrong } from '../../errors/check.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Store } from '../../store/store.ts'
import type { AuthSettings } from './options.ts'

/** Whether a request could find a user, for all that others than the logins have to say. */
export type IsThere = (user: JsonRecord, exchange: Exchange) => boolean

/** Those who may log in; who is not there for a request, may not. */
export interface Users {
  get(id: string, exchange: Exchange): JsonRecord | undefined
  /** The user whom these credentials name; no password is right for a user who has none. */
  byPassword(name: string, password: string | undefined, exchange: Exchange): JsonRecord | undefined
  byKey(key: string, exchange: Exchange): JsonRecord | undefined
  idOf(user: JsonRecord): string | number
  /** The fields that nobody is shown. */
  secrets: readonly string[]
  /** A user without what nobody is shown. */
  withoutSecrets(user: JsonRecord): JsonRecord
  /** Keeps what nobody is shown when a record takes a user's place, as nobody could have sent it. */
  keepSecrets(user: JsonRecord, previous: JsonRecord | undefined): JsonRecord
}

/** Finds users in a store as it is when they are asked for. */
export function createUsers(settings: AuthSettings, store: Store, isThere: IsThere): Users {
  const { users: name, by, password: field, isPasswordNamed, key, schemes } = settings
  const secrets = [field ?? 'password', ...(schemes.includes('apiKey') ? [key.field] : [])]
  const collection = (): Collection => store.collection(name)

  function find(
    exchange: Exchange,
    matches: (user: JsonRecord) => boolean,
  ): JsonRecord | undefined {
    return collection()
      .records()
      .find((user) => matches(user) && isThere(user, exchange))
  }

  function isRight(user: JsonRecord, password: string | undefined): boolean {
    const held = field === undefined ? undefined : ownValue(user, field)
    if (held === undefined) return field === undefined || !isPasswordNamed
    return password !== undefined && toCredential(held) === password
  }

  return {
    get(id, exchange) {
      const user = collection().get(id)
      return user && isThere(user, exchange) ? user : undefined
    },
    byPassword: (given, password, exchange) =>
      find(
        exchange,
        (user) =>
          by.some((one) => toCredential(ownValue(user, one)) === given) && isRight(user, password),
      ),
    byKey: (given, exchange) =>
      find(exchange, (user) => toCredential(ownValue(user, key.field)) === given),
    idOf: (user) => user[collection().idField] as string | number,
    secrets,
    withoutSecrets(user) {
      if (!secrets.some((one) => Object.hasOwn(user, one))) return user
      const shown = { ...user }
      for (const one of secrets) delete shown[one]
      return shown
    },
    keepSecrets(user, previous = {}) {
      const kept = secrets.filter(
        (one) => !Object.hasOwn(user, one) && Object.hasOwn(previous, one),
      )
      const whole = { ...user }
      for (const one of kept) define(whole, one, previous[one])
      return whole
    },
  }
}

/**
 * Makes sure that users have the fields that the options name for logins.
 * @throws MockError when none has
 */
export function checkUsers(settings: AuthSettings, store: Store): void {
  const { users, by, isByNamed, password, isPasswordNamed } = settings
  const records = store.collection(users).records()
  const isFree = (field: string): boolean =>
    records.length > 0 && !records.some((one) => Object.hasOwn(one, field))
  if (isByNamed && by.every(isFree)) {
    throw lacking(users, by.join('" or "'), 'Please add one, or name another with "by".')
  }
  if (password !== undefined && isPasswordNamed && isFree(password)) {
    const advice = 'or let any password do with "password: false".'
    throw lacking(users, password, `Please add one, or name another, ${advice}`)
  }
}

function lacking(users: string, field: string, advice: string): MockError {
  const reason = `no record of "${users}" has a field "${field}". ${advice}`
  return wrong('the options of "auth"', reason)
}

/** What names a user, or proves it, as a text: fixtures may hold a number. */
export function toCredential(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

/** The roles of a user: in `role`, in `roles`, one or a list. */
export function rolesOf(user: JsonRecord): string[] {
  return [ownValue(user, 'role'), ownValue(user, 'roles')]
    .flat()
    .filter((role) => typeof role === 'string')
}
