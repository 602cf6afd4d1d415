import type { Backend } from '../../http/contract/behaviour.ts'
import { accountsName, mailsName } from './accounts.ts'
import type { SupabaseAuthOptions } from './auth-endpoints.ts'
import { supabaseAuth } from './auth.ts'

/** Creates the data and the behaviours of Supabase: logins, files and changes. */
export function createSupabaseParts(
  options: SupabaseAuthOptions = {},
): Required<Pick<Backend, 'complete' | 'use'>> {
  return {
    complete: (data) => new Map([...names.map((name) => [name, []] as const), ...data]),
    use: (own) => [supabaseAuth(options, own)],
  }
}

const names = [accountsName, mailsName]
