import { isIP } from 'node:net'

/** Creates a self-signed certificate (X.509, RFC 5280 §4.1) with a new P-256 key, valid for a year. */
export function createCertificate(
  names: readonly string[],
  now: number = Date.now(),
): Record<'key' | 'cert', string | Buffer> {
  const { generateKeyPairSync, randomBytes, sign } = process.getBuiltinModule('node:crypto')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('localhost')))))
  const content = der(
    0x30,
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([1, ...randomBytes(15)])),
    ecdsaWithSha256,
    name,
    der(0x30, time(now - DAY), time(now + 365 * DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, forServers, extension(subjectAltName, der(0x30, ...names.map(toName))))),
  )
  const signature = sign('sha256', content, privateKey)
  const whole = der(0x30, content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  }
}

const DAY = 86_400_000

/** Object identifiers (X.660) in DER. */
const commonName: Buffer = Buffer.from('0603550403', 'hex')
const subjectAltName: Buffer = Buffer.from('0603551d11', 'hex')
const ecdsaWithSha256: Buffer = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
/** The extended key usage `serverAuth`. */
const forServers: Buffer = extension(
  Buffer.from('0603551d25', 'hex'),
  der(0x30, Buffer.from('06082b06010505070301', 'hex')),
)

/** Encodes a value with its tag and length (X.690 §8.1, DER). */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** Encodes a positive integer; its first byte has to be less than 128. */
function integer(bytes: Uint8Array): Buffer {
  return der(0x02, bytes)
}

/** Encodes a time as UTCTime, whose two digits for the year reach to 2049. */
function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

function extension(id: Buffer, value: Buffer): Buffer {
  return der(0x30, id, der(0x04, value))
}

/** Encodes a subject alternative name: an IP address or a host name (RFC 5280 §4.2.1.6). */
function toName(name: string): Buffer {
  // A certificate has no brackets, which are part of a URL, and no zone, which is local.
  const address = name.replaceAll(/^\[|\]$|%.*/g, '')
  return isIP(address) > 0 ? der(0x87, toAddress(address)) : der(0x82, Buffer.from(name))
}

function toAddress(ip: string): Buffer {
  if (isIP(ip) === 4) return Buffer.from(ip.split('.').map(Number))
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
