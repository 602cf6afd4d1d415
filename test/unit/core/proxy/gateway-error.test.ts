import { describe, expect, it } from 'vitest'

import { slowUpstream, toGatewayError } from '../../../../src/core/proxy/gateway-error.ts'

const failed = (code: string): Error => Object.assign(new Error('x'), { code })

describe('the error of a proxy', () => {
  const rows: [title: string, error: unknown, status: number, message: RegExp][] = [
    [
      'refused connection',
      failed('ECONNREFUSED'),
      502,
      /refused the connection.*check that it runs \(ECONNREFUSED\)\.$/,
    ],
    ['unknown host', failed('ENOTFOUND'), 502, /host name is unknown/],
    ['self-signed certificate', failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 502, /--insecure/],
    ['no TLS', failed('EPROTO'), 502, /begins with http/],
    ['no HTTP', failed('HPE_INVALID_CONSTANT'), 502, /not valid HTTP/],
    ['wrong status line', failed('ERR_INVALID_CHAR'), 502, /not valid HTTP/],
    ['slow connection', failed('ETIMEDOUT'), 504, /in time/],
    [
      'error of fetch',
      new TypeError('fetch failed', { cause: failed('ECONNREFUSED') }),
      502,
      /refused/,
    ],
    ['several addresses', new AggregateError([failed('ECONNREFUSED')]), 502, /refused/],
    ['other error', new TypeError('Failed to fetch'), 502, /: Failed to fetch\.$/],
  ]

  it.each(rows)('says why: %s', (_title, error, status, message) => {
    const found = toGatewayError('https://api.example.com', error)
    expect(found.status).toBe(status)
    expect(found.message).toMatch(/^Failed to get a response from https:\/\/api\.example\.com: /)
    expect(found.message).toMatch(message)
  })

  it('names the time limit', () => {
    expect(slowUpstream('http://a', 1500)).toMatchObject({ status: 504 })
    expect(slowUpstream('http://a', 1500).message).toContain('within 1.5 s')
  })
})
