import { isEmail, isHostname, isIpv4, isIpv6 } from '../formats/addresses.ts'
import { isDate, isDateTime, isTime } from '../formats/dates.ts'
import { isUri } from '../formats/uris.ts'

/** A field has the first format that all its texts pass. At most 31 formats, one for each bit of a mask. */
export const inferredFormats: readonly InferredFormat[] = [
  {
    name: 'date-time',
    test: (text) => text.charCodeAt(10) === 0x54 && text.length >= 20 && isDateTime(text),
    evidence: 1,
    isTemporal: true,
    isKey: true,
  },
  {
    name: 'date',
    test: (text) => text.length === 10 && isDate(text),
    evidence: 1,
    isTemporal: true,
    isKey: true,
  },
  {
    name: 'time',
    test: (text) => text.charCodeAt(2) === 0x3a && text.length >= 9 && isTime(text),
    evidence: 1,
    isTemporal: true,
    isKey: true,
  },
  { name: 'uuid', test: isUuid, evidence: 1, isKey: true },
  { name: 'email', test: isPlainEmail, evidence: 1, isKey: true },
  { name: 'uri', test: isAbsoluteUri, evidence: 1, isKey: true },
  // Versions of software can have four numbers.
  { name: 'ipv4', test: (text) => text.length <= 15 && isIpv4(text), evidence: 3, isKey: true },
  { name: 'ipv6', test: (text) => text.includes(':') && isIpv6(text), evidence: 2, isKey: true },
  { name: 'hostname', test: isDomainName, evidence: 3 },
  {
    name: 'ulid',
    ...ofPattern('^[0-7][0-9A-HJKMNP-TV-Z]{25}$', (text) => text.length === 26),
    evidence: 2,
    isKey: true,
  },
  {
    name: 'object-id',
    ...ofPattern('^[0-9a-f]{24}$', (text) => text.length === 24),
    evidence: 2,
    isKey: true,
  },
  {
    name: 'numeric',
    ...ofPattern(String.raw`^-?\d+(?:\.\d+)?$`, (text) => text.charCodeAt(0) < 0x3a),
    evidence: 10,
    isKey: true,
  },
  {
    name: 'nanoid',
    ...ofPattern('^[A-Za-z0-9_-]{21}$', (text) => text.length === 21),
    evidence: 3,
    supports: areRandom,
  },
]

/** A format whose test is narrower than a validator: `a:b` is a valid URI, but no evidence of one. */
export interface InferredFormat {
  /** The name in statistics; also the `format` of JSON Schema if there is no `pattern`. */
  name: string
  test(text: string): boolean
  /** How many different values a claim in a schema needs, as texts of other kinds can look the same. */
  evidence: number
  /** The regular expression that the schema claims, as JSON Schema has no such format. */
  pattern?: string
  /** Whether texts in the format sort by time. */
  isTemporal?: boolean
  /** Whether keys in the format are data, so that an object with such keys is a map. */
  isKey?: boolean
  /** Whether a sample of values supports the claim. */
  supports?(sample: readonly string[]): boolean
}

/** The mask of all formats. */
export const allFormats: number = 2 ** inferredFormats.length - 1

/** The mask of the formats whose texts sort by time. */
export const temporalFormats: number = inferredFormats.reduce(
  (mask, { isTemporal = false }, bit) => (isTemporal ? mask | (1 << bit) : mask),
  0,
)

/** Tests a text for the formats of a mask, and returns the mask of the formats that fit. */
export function formatsOf(text: string, mask: number): number {
  let found = mask
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = 31 - Math.clz32(rest & -rest)
    if (inferredFormats[bit]?.test(text) !== true) found &= ~(1 << bit)
  }
  return found
}

/** Returns the first format of a mask, which wins over the others; undefined for an empty mask. */
export function formatIn(mask: number): InferredFormat | undefined {
  return mask === 0 ? undefined : inferredFormats[31 - Math.clz32(mask & -mask)]
}

/** Whether a key of an object is data, such as an id or a date, and not the name of a field. */
export function isDataKey(key: string): boolean {
  return inferredFormats.some(({ isKey = false, test }) => isKey && test(key))
}

/** Tests texts by a pattern, after a quick check that most other texts fail. */
function ofPattern(
  pattern: string,
  isLikely: (text: string) => boolean,
): Pick<InferredFormat, 'pattern' | 'test'> {
  const expression = new RegExp(pattern)
  return { pattern, test: (text) => isLikely(text) && expression.test(text) }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isUuid(text: string): boolean {
  return text.length === 36 && uuidPattern.test(text)
}

function isPlainEmail(text: string): boolean {
  const sign = text.indexOf('@')
  if (sign < 1 || text.length > 254 || text.startsWith('"') || text[sign + 1] === '[') return false
  return text.includes('.', sign) && isEmail(text)
}

function isAbsoluteUri(text: string): boolean {
  // Most URIs take this path, which is faster.
  if (webPattern.test(text)) return true
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]|(?:data|mailto|tel|urn):.)/i.test(text) && isUri(text)
}

const webPattern =
  /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w\-.~!$&'()*+,;=:@/]*)?(?:\?[\w\-.~!$&'()*+,;=:@/?]*)?$/

/** A host name that ends in a well-known top-level domain; file names look like others. */
function isDomainName(text: string): boolean {
  const end = text.lastIndexOf('.')
  return end > 0 && domains.has(text.slice(end + 1).toLowerCase()) && isHostname(text)
}

const domains: ReadonlySet<string> = new Set(
  'app biz cloud com dev edu example gov info internal int invalid io lan local localhost mil net org test'.split(
    ' ',
  ),
)

function areRandom(sample: readonly string[]): boolean {
  const random = sample.filter(
    (text) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text),
  )
  return random.length >= sample.length * 0.8
}
