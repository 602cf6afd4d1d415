import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { commit } from '../../http/resource/commit.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { randomUuid } from '../../time/random.ts'
import { type AuthSettings, toSettings } from '../auth/options.ts'
import { createIsActive, createUsers, toCredential, type Users } from '../auth/users.ts'

/** The collections for the table `auth.users`, and for the mails that Supabase would send. */
export const accountsName = 'auth/users'
export const mailsName = 'auth/mails'

/**
 * Reads and writes the accounts of Supabase: the users of `auth`, else the fixture `users` if its records have e-mails,
 * else those of `auth/users`. The fields that have no meaning in the Auth server are the metadata of the user.
 */
export function createAccounts(given: AuthSettings | undefined, world: MockContext): Accounts {
  const { clock, random } = world
  const { store } = world.service
  const fixture = store.resources.get('users')
  const hasEmails = fixture?.kind === 'collection' && fixture.keys().has('email')
  const isFixture = hasEmails && store.collection(accountsName).size === 0
  const name = given?.users ?? (isFixture ? 'users' : accountsName)
  const settings = given ?? toSettings({ users: name })
  const isActive = createIsActive(world, name)
  const users = createUsers({ ...settings, by: [...settings.by, 'phone'] }, store, isActive)
  const collection = () => store.collection(name)
  const idOf = (record: JsonRecord): string => String(users.idOf(record))

  const claimsOf: Accounts['claimsOf'] = (record) => {
    const { app_metadata, is_anonymous = false } = record
    const email = textIn(record, 'email')
    const phone = textIn(record, 'phone')
    const provider = email ? 'email' : phone && 'phone'
    const role = textIn(record, 'role')
    const others = [...reserved, ...users.secrets, collection().idField]
    return {
      email,
      phone,
      is_anonymous,
      app_metadata: {
        ...(provider && { provider, providers: [provider] }),
        // Applications read the role that a fixture gives a user here, as `role` is that of the database.
        ...(role && role !== 'authenticated' && { role }),
        ...(isRecord(app_metadata) && app_metadata),
      },
      user_metadata: Object.fromEntries(
        Object.entries(record).filter(([field]) => !others.includes(field)),
      ),
    }
  }

  return {
    name,
    users,
    password: settings.password ?? 'password',
    idOf,
    claimsOf,
    find(exchange, { field, value }) {
      const isIt = (one: JsonRecord) =>
        textIn(one, field).toLowerCase() === value && isActive(one, exchange)
      return collection().records().find(isIt)
    },
    save(exchange, id, fields, data = {}) {
      const resource = collection()
      const isOwn = name === accountsName
      const metadata = Object.entries(data).filter(([field]) => !reserved.includes(field))
      const hasTime = (field: string) => isOwn || resource.keys().has(field)
      const now = new Date(clock.now()).toISOString()
      const times = {
        ...(id === undefined && hasTime('created_at') && { created_at: now }),
        ...(hasTime('updated_at') && { updated_at: now }),
      }
      const changed = fields && { ...Object.fromEntries(metadata), ...fields, ...times }
      const written = commit(exchange, () => {
        // The endpoint has checked whose account it is.
        const shared = { resource, isOpen: true } as const
        if (id === undefined) {
          const record = { ...(isOwn && { id: randomUuid(random) }), ...changed }
          return [{ ...shared, action: 'create', record }]
        }
        const previous = resource.get(id) ?? {}
        if (!changed) return [{ ...shared, action: 'remove', id, previous, record: undefined }]
        return [{ ...shared, action: 'patch', id, previous, record: { ...previous, ...changed } }]
      })
      return andThen(written, ([stored = {}]) => stored)
    },
    toUser(record, signedIn) {
      const id = idOf(record)
      const created_at = textIn(record, 'created_at') || '1970-01-01T00:00:00.000Z'
      const updated_at = textIn(record, 'updated_at') || created_at
      const times = { last_sign_in_at: signedIn ?? created_at, created_at, updated_at }
      const roles = { aud: 'authenticated', role: 'authenticated' }
      const claims = claimsOf(record)
      const { email, is_anonymous, user_metadata } = claims
      const confirmed_at = textIn(record, 'email_confirmed_at') || created_at
      const isConfirmed = !is_anonymous && record['email_confirmed_at'] !== null
      const identity = {
        id,
        identity_id: id,
        user_id: id,
        email,
        provider: email ? 'email' : 'phone',
        identity_data: { ...user_metadata, email, email_verified: isConfirmed, sub: id },
        ...times,
      }
      return {
        id,
        ...roles,
        ...claims,
        ...(isConfirmed && { confirmed_at, email_confirmed_at: confirmed_at }),
        ...(record['new_email'] && { new_email: record['new_email'] }),
        ...(record['invited_at'] && { invited_at: record['invited_at'] }),
        identities: is_anonymous ? [] : [identity],
        ...times,
      }
    },
  }
}

/** The accounts of a mock: records of the collection `name`, with the field `password`. */
export interface Accounts {
  name: string
  users: Users
  password: string
  idOf(record: JsonRecord): string
  /** Finds the account with an e-mail or a phone number. */
  find(exchange: Exchange, contact: Contact): JsonRecord | undefined
  /** Creates an account without an id, removes one without fields, else changes fields and metadata. */
  save(
    exchange: Exchange,
    id: string | undefined,
    fields: JsonRecord | undefined,
    data?: JsonRecord,
  ): MaybePromise<JsonRecord>
  /** The claims of access tokens that describe the account. */
  claimsOf(record: JsonRecord): JsonRecord & { email: string; user_metadata: JsonRecord }
  /** The user as the API shows it; `signedIn` is the time of the login (ISO 8601). */
  toUser(record: JsonRecord, signedIn?: string): JsonRecord
}

/** An e-mail or a phone number, in lower case. */
export interface Contact {
  field: 'email' | 'phone'
  value: string
}

/** The fields of a user that are no metadata, and that a client cannot set as metadata. */
const reserved = `email phone password role roles created_at updated_at email_confirmed_at aud
  is_anonymous app_metadata new_email invited_at`.split(/\s+/)

/** A text or a number of a record as text; empty without one. */
export function textIn(record: JsonRecord, name = ''): string {
  return toCredential(ownValue(record, name)) ?? ''
}
