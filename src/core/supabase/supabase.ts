import { accountsName, mailsName } from '../behaviours/supabase/accounts.ts'
import { supabaseAuth, type SupabaseAuthOptions } from '../behaviours/supabase/auth.ts'
import { supabaseRealtime, type SupabaseRealtimeOptions } from '../behaviours/supabase/realtime.ts'
import { bucketsName, objectsName, supabaseStorage } from '../behaviours/supabase/storage.ts'
import { supabase as wire } from '../dialects/supabase/supabase.ts'
import type { Backend } from '../http/contract/behaviour.ts'
import type { Json } from '../json/json.ts'

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
    complete: (data) => new Map([...tables.map((name) => [name, []] as [string, Json]), ...data]),
    use: (own) => [supabaseAuth(options, own), supabaseStorage(), supabaseRealtime(options)],
  }
}

/** The tables of Supabase itself, which fixtures may fill. */
const tables = [accountsName, mailsName, bucketsName, objectsName]
