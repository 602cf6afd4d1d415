import { toBase64Url } from '../base64.ts'
import type { Json } from '../json.ts'

/** What a token says that is read here; times in seconds since 1970 (RFC 7519 §4.1). */
export interface Claims {
  sub: string
  exp?: number
  sid?: string
}

/** Signs tokens and tells those that it has signed. */
export interface Jwt {
  sign(claims: Record<string, Json | undefined>): Promise<string>
  /** What the token says; undefined for one of somebody else, or that is not good yet. */
  verify(token: string, now: number): Promise<Claims | 'expired' | undefined>
}

/** Creates signed tokens (RFC 7519, HS256); what signs them is loaded when the first one is needed. */
export function createJwt(secret: string): Jwt {
  const key = { kty: 'oct', k: toBase64Url(secret) }
  return {
    async sign(claims) {
      const { SignJWT } = await import('jose')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
    },
    async verify(token, now) {
      const { errors, jwtVerify } = await import('jose')
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now) }
        const { sub, exp, sid } = (await jwtVerify(token, key, options)).payload
        if (sub === undefined) return undefined
        const session = typeof sid === 'string' ? { sid } : {}
        return { sub, ...session, ...(exp !== undefined && { exp }) }
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : undefined
      }
    },
  }
}
