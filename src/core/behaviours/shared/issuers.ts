import type { MaybePromise } from '../../http/contract/messages.ts'
import { createSharedState } from './world-state.ts'

/** The token issuers of a mock or fork, such as `oidc`, whose access tokens `auth` accepts. */
export const issuersOf: ReturnType<typeof createSharedState<Issuers>> = createSharedState<Issuers>(
  () => ({ list: [], onEnd: [] }),
)

/** The issuers, and the functions to call after tokens have ended before their time. */
export interface Issuers {
  list: Issuer[]
  onEnd: (() => void)[]
}

/** A behaviour that issues access tokens. */
export interface Issuer {
  /** The name of its security scheme in the OpenAPI document. */
  scheme: string
  /** Whether a path below the base is an endpoint of the issuer, which checks its callers itself. */
  owns(method: string, path: string): boolean
  /** Returns the user of an access token; undefined for a token of others. `due` is in milliseconds since 1970. */
  verify(
    token: string,
  ): MaybePromise<{ userId: string; session: string; due: number } | 'expired' | undefined>
}
