import { type Jwk, checkWebCrypto, signJwt, type VerifiedJwt, verifyJwt } from '../shared/jwt.ts'
import type { Clock } from '../../time/clock.ts'

/**
 * Signs and verifies the tokens of `oidc`. The key pairs are part of the package and so are public: WebCrypto cannot
 * draw a key from a seed, and with fixed keys, tokens stay valid after a restart.
 */
export function createSigner(algorithm: Algorithm, clock: Clock): Signer {
  const key = privateKeys[algorithm]
  return {
    sign: (claims, typ = 'JWT') => signJwt(claims, { alg: algorithm, typ, kid: key.kid }, key),
    verify(token, typ) {
      const currentDate = new Date(clock.now())
      const options = { algorithms: [algorithm], currentDate, ...(typ !== undefined && { typ }) }
      return verifyJwt(token, publicKeys[algorithm], options)
    },
  }
}

/** The algorithm of the signatures (RFC 7518 §3.1). */
export type Algorithm = 'RS256' | 'ES256'

/** Signs and verifies JSON Web Tokens (RFC 7519). */
export interface Signer {
  sign(claims: Record<string, unknown>, typ?: string): Promise<string>
  /** Returns the claims of a token with a valid signature; undefined for any other text. */
  verify(token: string, typ?: string): Promise<VerifiedJwt | undefined>
}

/** Whether a client has signed an assertion with one of its keys for an audience (OpenID Connect Core §9). */
export async function isAssertion(
  assertion: string,
  id: string,
  jwks: { keys: readonly object[] },
  audience: string[],
  clock: Clock,
): Promise<boolean> {
  const named = { issuer: id, subject: id, audience, requiredClaims: ['exp', 'jti'] }
  const options = { ...named, algorithms: assertionAlgorithms, currentDate: new Date(clock.now()) }
  const { createLocalJWKSet } = await import('jose/jwks/local')
  const keys = createLocalJWKSet(jwks as { keys: Jwk[] })
  return (await verifyJwt(assertion, keys, options))?.isExpired === false
}

/** The algorithms of assertions, for discovery. */
export const assertionAlgorithms: string[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** Returns the SHA-256 digest of an ASCII text in base64url, or that of its left half (`at_hash`). */
export async function sha256(text: string, isHalf = false): Promise<string> {
  const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0))
  const digest = await checkWebCrypto().digest('SHA-256', bytes)
  const { encode } = await import('jose/base64url')
  return encode(new Uint8Array(digest).subarray(0, isHalf ? 16 : 32))
}

const publicKeys = {
  RS256: {
    use: 'sig',
    alg: 'RS256',
    kid: 'fixtura-rs256',
    kty: 'RSA',
    n: 'qVzPs7QBsEGh-HIks1wz5RH9pUGKl-ckm5KxpV2-a4hp4E3X0xWO2fOqJuDYRgr1d0imWSxWnRcSji0akjVpw8grFI84fJTZJKB57S8rBESbBXcuwFoaCemOHPyCyFOnb7VkIo9uuUVWZ-1NVuj-0hHfuFg_pwz739csY3FsRAJl34xRL9DsNzlT7-jghSlclVCHSQIbxgGQxoxsP5a-7qnThf9qZmO0lj4WVemoqztoGjSlTLwVX9cDVb367kw9s6U9UfuPZNv1AVfp1XOA4YhTw6ZcQjeQT85xd4Mz9lcKQOkBqRhFxxcShSU4JFt7mkPRYraDL4PoPn-x_ehKow',
    e: 'AQAB',
  },
  ES256: {
    use: 'sig',
    alg: 'ES256',
    kid: 'fixtura-es256',
    kty: 'EC',
    x: '6pOaCW9wd58Mnh0fjj9pgn7RzeV6YKj2WwnGTGKB4Pk',
    y: 'lu2-ePxNgaRmollMHLpb0tYRC_qYT8mFcuKDRJ2lLwU',
    crv: 'P-256',
  },
}

const privateKeys = {
  RS256: {
    ...publicKeys.RS256,
    d: 'FVsmtbpVHCyqh_GcvyE5SgFiwpvpJg53h0aQMBIKGPUypJ4sQOnPAZzAL_baTrrDCS-YClaU9WobZOI7H4SsuYtcI1OMA-mhGAVEWqw_-GHOSnok4wx5jBZvXShaNXiW_HcbEWCUzbf4lVJPFk57E3I9i7lVDXONr0QqzL9Yr5qJF7uhCkprilDYqkgVMIOrC2EsOc-UJIqlBzTfrZ1rTd_s3mGE0V2PmSZc1fBX5VEjDq92vKEkdAMAlCymtYhyRamaXAShRdxrEuhqZHQW0l0xmlW56gnBrilStH2olqCMbrx4FY5uKMBAvNwzc0MHI4kjFu13L5tX8284-oqNAQ',
    p: '4ydsbQAmhU5ueWHLK8-UugHDS2FZcrB97pW9_I-J-W4LTsghT-60AV_YJpNN4rD6lA14kCwWVaPKTwqOJl5rBBtwL6Yk1MwWWdiQx-gzkj-4EvCQI_qHOjPZrl7BqbC6uQuS701EaZl_Lprpb7fwtwNgwewG-fy3MqipNaSxMzM',
    q: 'vt6jdfhLTjpwDv8ZgmIJvpwYRjiUJ5fn8-oeRPw4m4S7bb8oGmDQIoZCj3jYTxh0nIsLtpShwBIPiTK8_9z6gkPT6BN1qqi0OscHJ3nP0LGMuQhjqA4UlssSuMGC7oHLzeKJKNkGDYUfpotpns5alcuqGp0UtKhvyjE_bO3MitE',
    dp: 'HVm2tM7UK11bAOwV6G9F9FLN_Sty91K-stk-Vyfk2AnUBDXvt_hL4fGUaEeYRLZBamfjMB3CNQaY2WWvwF1qznkNIdsB300PhkRpUKs8HqWFD01uEngIiQiyE8nClD51oftQ3QLK2CoxOMBjcT__JmaVVfk9XYe91Bne40OIcek',
    dq: 'uI48ThBkeGLHAakmeEzlkToLurJwhww6Cz5gQGIFNlMUjBye4UqlVgyuBV5bAbfq4YcNL2DuOfL8tLOrzldUnmqJVsiiKP7xLjhOMZx2Fhvnru5utgvPWrNHCgCK4qX8c7pM14Npd9816Gq7GQP80QTaGNu0Lq8DUOVnp6MT-VE',
    qi: 'iFsV29hnxZsxkOeU_ic1D4k2txrLJ9rz4_XBiCjaHBY6NdMAtS0ymwKWcmp_ESww-k88fCCwvCVPxCc6nxA1kQUhHHCk2H4bSgjelp6J-K9kXopU_CNW-JfVBHPzONhUiIPTkhqZmB7oCQ0NMPW3QMjijGqYgbVohPmGSQVqNIg',
  },
  ES256: { ...publicKeys.ES256, d: '08macrntjusoBKDgK83UFA9vKi9tMRbR3CId8YMAczc' },
}

/** The key set (RFC 7517 §5): the public keys of both algorithms. */
export const keySet: { keys: Jwk[] } = {
  keys: Object.values(publicKeys),
}
