import type { MockContext } from '../../http/contract/behaviour.ts'
import { createMapsState } from '../shared/world-state.ts'
import type { AuthorizationRequest } from './request.ts'

/** The logins at the provider: the state of `oidc`, which a fork copies. Entries are replaced, never changed. */
export interface ProviderState {
  /** The authorization requests whose login page is open, by the one-time token in its form. */
  pages: Map<string, OpenPage>
  /** The users who are logged in at the provider, by the value of the cookie. */
  sessions: Map<string, ProviderSession>
  codes: Map<string, IssuedCode>
  access: Map<string, Issued>
  refresh: Map<string, Issued & { isUsed: boolean; usedAt?: number }>
  devices: Map<string, DeviceRequest>
}

/** A login page, which decides about an authorization request or the code of a device; `browser` is the cookie. */
export interface OpenPage {
  request?: AuthorizationRequest
  device?: string
  browser: string
  due: number
}

/** A login at the provider, which its clients share; times are in milliseconds since 1970. */
export interface ProviderSession {
  userId: string
  sid: string
  authTime: number
  due: number
}

/** The permission of a client to act for a user, until it ends. */
export interface Grant {
  /** Names the grant: the tokens of one code or device share it, through all renewals. */
  grant: string
  grantType: string
  client: string
  /** Undefined if the client acts for itself. */
  userId: string | undefined
  scope: string
  audience: string | undefined
  sid: string
  authTime: number
  nonce: string | undefined
  /** Whether the grant has a refresh token. */
  isRenewable: boolean
}

/** A token and its grant; the expiry is in milliseconds since 1970. */
export interface Issued extends Grant {
  due: number
  issuedAt: number
}

/** An authorization code; `expires` is when it can no longer be redeemed, `due` when its reuse is forgotten. */
export interface IssuedCode extends Grant {
  redirectUri: string
  challenge: string | undefined
  expires: number
  due: number
  isUsed: boolean
}

/** A device that waits for its user (RFC 8628 §3.2). */
export interface DeviceRequest extends Pick<Grant, 'client' | 'scope' | 'audience'> {
  userCode: string
  /** Undefined until the user decides; `grant` is undefined if the user has refused. */
  decision: { grant: Grant | undefined } | undefined
  /** Seconds. */
  interval: number
  lastPoll: number
  due: number
}

/** The state of each mock and fork: none or, if the mock has storage, that of the last process. */
export const stateOf: (world: MockContext) => ProviderState = createMapsState<ProviderState>([
  'pages',
  'sessions',
  'codes',
  'access',
  'refresh',
  'devices',
])

/** Ends all tokens that a test selects. */
export function endTokens(
  { access, refresh, codes }: ProviderState,
  isEnded: (grant: Grant) => boolean,
): void {
  for (const tokens of [access, refresh, codes]) {
    for (const [token, issued] of tokens) if (isEnded(issued)) tokens.delete(token)
  }
}
