import { toBase64Url } from '../../text/base64.ts'
import { codeOf } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Json } from '../../json/json.ts'

/**
 * Creates the functions that sign and verify JSON Web Tokens (RFC 7519, HS256), the access tokens of `auth`.
 * They use the package `jose`, which the first token loads: two of its modules and not the whole package,
 * because a bundle in one file contains all of each module that is imported dynamically.
 */
export function createJwt(secret: string): Jwt {
  const key = { kty: 'oct', k: toBase64Url(secret) }
  return {
    async sign(claims) {
      if (!hasWebCrypto()) throw noWebCrypto()
      const { SignJWT } = await import('jose/jwt/sign')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
    },
    async verify(token, now) {
      const { jwtVerify } = await import('jose/jwt/verify')
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now) }
        const { sub, sid, exp = Infinity } = (await jwtVerify(token, key, options)).payload
        if (sub === undefined) return undefined
        return { sub, sid: typeof sid === 'string' ? sid : undefined, due: exp * 1000 }
      } catch (error) {
        return codeOf(error) === 'ERR_JWT_EXPIRED' ? 'expired' : undefined
      }
    },
  }
}

/** Signs and verifies JSON Web Tokens. */
export interface Jwt {
  sign(claims: Record<string, Json | undefined>): Promise<string>
  /** Returns the claims of a token; undefined for a wrong signature or a token that is not valid yet. */
  verify(token: string, now: number): Promise<Claims | 'expired' | undefined>
}

/**
 * The claims that the mock reads from a JSON Web Token (RFC 7519 §4): `sub`, the id of the user, `sid`, the
 * id of the login session, which tokens of other issuers may lack, and `exp` in milliseconds since 1970.
 */
export interface Claims {
  sub: string
  sid: string | undefined
  /** The expiry; Infinity for a token without `exp`. */
  due: number
}

/** Whether `jose` can sign: Jest's jsdom has a `crypto` without `subtle`. */
function hasWebCrypto(): boolean {
  const { crypto } = globalThis as { crypto?: { subtle?: unknown } }
  return crypto?.subtle !== undefined
}

function noWebCrypto(): MockError {
  return new MockError(
    'Failed to sign a token: this runtime has no WebCrypto (crypto.subtle). Please set it, or give "auth" the option tokens: "opaque".',
  )
}
