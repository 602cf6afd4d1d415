import { accountsName, mailsName } from '../behaviours/supabase/accounts.ts'
import { supabaseAuth, type SupabaseAuthOptions } from '../behaviours/supabase/auth.ts'
import { supabaseRealtime, type SupabaseRealtimeOptions } from './realtime.ts'
import { bucketsName, objectsName, supabaseStorage } from '../behaviours/supabase/storage.ts'
import { supabase as wire } from '../dialects/supabase/supabase.ts'
import { supabaseFunctions } from './functions.ts'
import type { Backend } from '../http/contract/behaviour.ts'
import { isRecord, type Json, type JsonRecord, tryJson } from '../json/json.ts'

/** The options of the dialect `supabase`. */
export type SupabaseOptions = SupabaseAuthOptions & SupabaseRealtimeOptions

/**
 * Makes the mock the back end of `@supabase/supabase-js`: `/rest/v1` as PostgREST answers, the logins of `/auth/v1`,
 * and Realtime at `/realtime/v1`. The dialect is also a function, for other options.
 * @example createMock({ fixtures, dialect: supabase({ autoconfirm: false }) })
 */
export const supabase: Backend & ((options?: SupabaseOptions) => Backend) =
  /* @__PURE__ */ toCallable()

function toCallable(): typeof supabase {
  const members = Object.getOwnPropertyDescriptors(createSupabase())
  return Object.defineProperties(createSupabase, members) as typeof supabase
}

function createSupabase(options: SupabaseOptions = {}): Backend {
  return {
    ...wire,
    load(name, value, idField) {
      const loaded = wire.load ? wire.load(name, value, idField) : value
      return name === accountsName ? toAccounts(loaded) : loaded
    },
    complete: (data) => new Map([...tables.map((name) => [name, []] as [string, Json]), ...data]),
    use: (own) => [
      supabaseAuth(options, own),
      supabaseStorage(),
      supabaseRealtime(options),
      supabaseFunctions(),
    ],
  }
}

/** The tables of Supabase itself, which fixtures may fill. */
const tables = [accountsName, mailsName, bucketsName, objectsName]

/** Turns the columns of `auth.users` into the fields of accounts: its metadata become fields of their own. */
function toAccounts(rows: Json | undefined): Json | undefined {
  if (!Array.isArray(rows)) return rows
  return rows.map((row) => {
    if (!isRecord(row)) return row
    const {
      raw_user_meta_data: metadata,
      raw_app_meta_data: app,
      encrypted_password,
      ...user
    } = row
    const own = Object.entries(user).filter(([name, value]) => value !== '' && !unused.test(name))
    return {
      ...toRecord(metadata),
      ...Object.fromEntries(own),
      ...(encrypted_password !== undefined && { password: encrypted_password }),
      ...(app !== undefined && { app_metadata: toRecord(app) }),
    }
  })
}

/** Columns of `auth.users` for flows that the mock keeps elsewhere. */
const unused = /_token|_sent_at$|^instance_id$|_change(?:_|$)|^confirmed_at$|^is_super_admin$/

function toRecord(value: Json | undefined): JsonRecord {
  const parsed = typeof value === 'string' ? tryJson(value) : value
  return isRecord(parsed) ? parsed : {}
}
