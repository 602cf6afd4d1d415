import type { Json } from '../json/json.ts'
import { hash } from '../time/random.ts'

/** Returns 12 bits of a hash of credentials, which many credentials share. */
export function passwordCheck(passwords: readonly Json[]): string {
  return (hash(JSON.stringify(passwords)) % 4096).toString(16)
}

/** Returns the text that a recording has in place of a password or token; `auth` accepts both. */
export function toStandIn(check: string): string {
  return `recorded-${check}`
}
