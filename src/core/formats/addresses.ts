/** Whether a text is a host name (RFC 1123 §2.1): at most 253 characters, in labels of 1 to 63 that dots separate. */
export function isHostname(text: string): boolean {
  const { length } = text
  if (length > 253) return false
  let start = 0
  for (let at = 0; at <= length; at++) {
    const code = at < length ? text.charCodeAt(at) : DOT
    if (code === DOT) {
      if (at === start || at - start > 63) return false
      if (text.charCodeAt(start) === HYPHEN || text.charCodeAt(at - 1) === HYPHEN) return false
      start = at + 1
    } else if (!isAlphanumeric(code) && code !== HYPHEN) return false
  }
  return true
}

const DOT = 0x2e
const HYPHEN = 0x2d

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** Whether a text is an IPv4 address in dotted decimals (RFC 2673 §3.2). */
export function isIpv4(text: string): boolean {
  const parts = text.split('.', 5)
  return parts.length === 4 && parts.every((part) => octetPattern.test(part))
}

const octetPattern = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/

/** Whether a text is an IPv6 address (RFC 4291 §2.2). */
export function isIpv6(text: string): boolean {
  if (text.length > MAX_IPV6_LENGTH) return false
  const [start = '', end, more] = text.split('::')
  if (more !== undefined) return false
  const count = countGroups(start, end === undefined) + countGroups(end ?? '', true)
  return end === undefined ? count === 8 : count < 8
}

const MAX_IPV6_LENGTH = 45

/** Counts groups of 16 bits; returns NaN if a group is wrong. An IPv4 address at the end counts as two groups. */
function countGroups(text: string, isEnd: boolean): number {
  if (text === '') return 0
  const groups = text.split(':')
  const last = groups.at(-1) ?? ''
  const hasIpv4 = isEnd && isIpv4(last)
  const isRight = groups
    .slice(0, hasIpv4 ? -1 : undefined)
    .every((group) => /^[0-9a-f]{1,4}$/i.test(group))
  return isRight ? groups.length + Number(hasIpv4) : NaN
}

/** Whether a text is an email address whose local part is a dot-atom or a quoted string (RFC 5321 §4.1.2). */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const host = text.slice(at + 1)
  if (local.length > 64 || !(atomsPattern.test(local) || quotedPattern.test(local))) return false
  if (!host.startsWith('[')) return isHostname(host)
  const [, isSix, address = ''] = /^\[(ipv6:)?(.*)\]$/i.exec(host) ?? []
  return isSix === undefined ? isIpv4(address) : isIpv6(address)
}

const atomsPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const quotedPattern = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/
