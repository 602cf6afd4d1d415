import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createCertificate } from '../../../../src/faces/node/certificate.ts'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import { send } from '../../../wire.ts'

const fixtures = { posts: [{ id: 1 }] }

describe('a self-signed certificate', () => {
  const names = [
    'localhost',
    '*.api.test',
    '127.0.0.1',
    '::1',
    'fe80::1:2',
    '[2001:db8::1]',
    'fe80::3%lo',
    'api.test',
  ]
  const certificate = new X509Certificate(createCertificate(names).cert)

  it('is signed with its own key', () => {
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
  })

  it('has version 3, the name localhost, lines of 64 characters and a random serial number', () => {
    expect(certificate.raw.toString('hex')).toContain('a003020102')
    expect([certificate.subject, certificate.issuer]).toEqual(['CN=localhost', 'CN=localhost'])
    const { cert } = createCertificate(names)
    const [first = '', second = '', ...lines] = String(cert).split('\n')
    expect([first, second.length]).toEqual(['-----BEGIN CERTIFICATE-----', 64])
    expect(lines.slice(-2)).toEqual(['-----END CERTIFICATE-----', ''])
    // Firefox rejects two certificates of one issuer with the same serial number.
    expect(new X509Certificate(cert).serialNumber).not.toBe(certificate.serialNumber)
  })

  it.each(['localhost', 'a.api.test', 'api.test'])('is valid for %s', (name) => {
    expect(certificate.checkHost(name)).toBeTruthy()
  })

  it.each(['127.0.0.1', '::1', 'fe80::1:2', '2001:db8::1', 'fe80::3'])(
    'is valid for %s',
    (address) => {
      expect(certificate.checkIP(address)).toBeTruthy()
    },
  )

  it.each(['evil.example', 'a.b.api.test'])('is not valid for %s', (name) => {
    expect(certificate.checkHost(name)).toBeUndefined()
  })

  it('encodes each length in the fewest bytes, as browsers require (X.690 §10.1)', () => {
    const check = (bytes: Buffer): void => {
      let at = 0
      while (at < bytes.length) {
        const [tag = 0, first = 0] = bytes.subarray(at)
        const more = first < 128 ? 0 : first - 128
        const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
        const start = at + 2 + more
        expect(more).toBe(length < 128 ? 0 : length < 256 ? 1 : 2)
        at = start + length
        expect(at).toBeLessThanOrEqual(bytes.length)
        // Constructed values, and the octet string of an extension.
        if ((tag & 0x20) !== 0 || tag === 0x04) check(bytes.subarray(start, at))
      }
    }
    for (let length = 100; length < 260; length++)
      check(new X509Certificate(createCertificate(['a'.repeat(length)]).cert).raw)
  })

  it('is valid for a year, from yesterday', () => {
    const now = Date.UTC(2026, 10, 20, 12)
    const { validFrom, validTo } = new X509Certificate(createCertificate(['x'], now).cert)
    expect([validFrom, validTo]).toEqual(['Nov 19 12:00:00 2026 GMT', 'Nov 20 12:00:00 2027 GMT'])
  })
})

describe('a server with TLS', () => {
  it('uses the given certificate', async () => {
    const { key, cert } = createCertificate(['localhost', '127.0.0.1'])
    const serving = await serve(createMock({ fixtures }), { port: 0, https: { key, cert } })
    onTestFinished(() => serving.close())
    expect(serving.url).toBe(`https://localhost:${serving.port}`)
    const answer = await send(serving.port, { path: '/posts', ca: cert })
    expect([answer.status, answer.text]).toEqual([200, '[{"id":1}]'])
  })

  it.each([
    ['no certificate', { cert: 'no PEM', key: createCertificate(['localhost']).key }],
    [
      'another key',
      { cert: createCertificate(['localhost']).cert, key: createCertificate(['localhost']).key },
    ],
  ])('names the problem of %s', async (_title, https) => {
    const mock = createMock({ fixtures: { posts: [] } })
    await expect(serve(mock, { port: 0, https })).rejects.toThrow(
      /^Failed to serve https: .+\. Please give a certificate and its private key, both as PEM\.$/,
    )
  })

  it('accepts writes from pages of its own origin', async () => {
    const { key, cert } = createCertificate(['api.test'])
    const serving = await serve(createMock({ fixtures }), {
      port: 0,
      https: { key, cert },
      allowHost: 'api.test',
    })
    onTestFinished(() => serving.close())
    const headers = {
      host: 'api.test',
      origin: 'https://api.test',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await send(serving.port, {
      method: 'POST',
      path: '/posts',
      headers,
      body: 'a=b',
      ca: cert,
    })
    expect(answer.status).toBe(201)
  })

  it('creates a certificate by default, and survives a plain request', async () => {
    const serving = await serve(createMock({ fixtures }), { port: 0, https: true })
    onTestFinished(() => serving.close())
    await expect(send(serving.port, { path: '/posts' })).rejects.toThrow()
    await expect(send(serving.port, { path: '/posts', ca: '' })).rejects.toThrow(/self.signed/)
  })

  it('creates a certificate for every allowed host', async () => {
    const allowHost = ['.api.test', 'b.test, *']
    const serving = await serve(createMock({ fixtures }), { port: 0, https: true, allowHost })
    onTestFinished(() => serving.close())
    const socket = connect(serving.port, '127.0.0.1', { rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.getPeerCertificate().subjectaltname).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:*.api.test, DNS:api.test, DNS:b.test',
    )
    socket.destroy()
  })
})
