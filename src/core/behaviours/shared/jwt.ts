import type { JWTVerifyGetKey } from 'jose/jwt/verify'

import { codeOf } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'

/**
 * Signs a JSON Web Token (RFC 7519). One module of `jose` for each job, as a bundle contains all of what is imported
 * dynamically. @throws MockError without WebCrypto, with some advice
 */
export async function signJwt(
  claims: Record<string, unknown>,
  header: { alg: string; typ: string; kid?: string },
  key: Jwk,
  advice?: string,
): Promise<string> {
  checkWebCrypto(advice)
  const { SignJWT } = await import('jose/jwt/sign')
  return new SignJWT(claims).setProtectedHeader(header).sign(key)
}

/** Returns the claims of a token with a valid signature; undefined for any other text. */
export async function verifyJwt(
  token: string,
  key: Jwk | JWTVerifyGetKey,
  options: { algorithms: string[]; currentDate: Date; [check: string]: unknown },
): Promise<VerifiedJwt | undefined> {
  const { jwtVerify } = await import('jose/jwt/verify')
  try {
    const getKey = typeof key === 'function' ? key : () => key
    return { claims: (await jwtVerify(token, getKey, options)).payload, isExpired: false }
  } catch (error) {
    if (codeOf(error) !== 'ERR_JWT_EXPIRED') return undefined
    const { payload } = error as { payload?: Record<string, unknown> }
    return payload && { claims: payload, isExpired: true }
  }
}

/** The claims of a token whose signature is valid. */
export interface VerifiedJwt {
  claims: Record<string, unknown>
  isExpired: boolean
}

/** A JSON Web Key (RFC 7517), of which `jose` checks the members. */
export type Jwk = Record<string, unknown> & { kty: string }

/** Returns WebCrypto, which Jest's jsdom does not have. @throws MockError without WebCrypto */
export function checkWebCrypto(advice = ''): Subtle {
  const { crypto } = globalThis as { crypto?: { subtle?: Subtle } }
  if (crypto?.subtle) return crypto.subtle
  throw new MockError(
    `Failed to sign a token: this runtime has no WebCrypto (crypto.subtle). Please set it${advice}.`,
  )
}

/** The part of WebCrypto that the core uses; its types are those of pages. */
interface Subtle {
  digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer>
}
