import { splitUri } from '../url/uri.ts'
import { isIpv4, isIpv6 } from './addresses.ts'

/** Whether a text is a URI (RFC 3986 §3): a valid URI reference with a scheme. */
export function isUri(text: string): boolean {
  return splitUri(text).scheme !== undefined && isUriReference(text)
}

/** Whether a text is a URI or a relative reference (RFC 3986 §4.1). */
export function isUriReference(text: string): boolean {
  const { scheme, authority, path, query = '', fragment = '' } = splitUri(text)
  if (scheme !== undefined && !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false
  if (authority !== undefined && !isAuthority(authority)) return false
  const hasOnlyAllowed = ![path, query, fragment].some((part) =>
    /[^\w\-.~!$&'()*+,;=:@/?%]/.test(part),
  )
  return hasOnlyAllowed && !text.startsWith(':') && hasWholeEscapes(text)
}

/** Whether a text is the authority of a URI (RFC 3986 §3.2), apart from its escapes, which `isUriReference` checks. */
function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [, host = '', rest = ''] = /^(\[[^\]]*\]|[^:]*)(.*)$/s.exec(text.slice(at + 1)) ?? []
  const isUserInfo = !/[^\w\-.~!$&'()*+,;=:%]/.test(text.slice(0, Math.max(at, 0)))
  return isUserInfo && isHost(host) && /^(?::\d*)?$/.test(rest)
}

function isHost(text: string): boolean {
  if (!text.startsWith('[')) return !/[^\w\-.~!$&'()*+,;=%]/.test(text)
  const address = text.slice(1, -1)
  return isIpv6(address) || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(address)
}

function hasWholeEscapes(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text)
}

/** Whether a text is a URI template (RFC 6570 §2), of level 4 and with the operators kept for extensions. */
export function isUriTemplate(text: string): boolean {
  const [first = '', ...others] = text.split('{')
  return (
    isLiteral(first) &&
    others.every((other) => {
      const end = other.indexOf('}')
      return end !== -1 && isExpression(other.slice(0, end)) && isLiteral(other.slice(end + 1))
    })
  )
}

function isLiteral(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- RFC 6570 §2.1 lists the characters to refuse.
  return !/[\x00-\x20\x7f"<>\\^`{|}]/.test(text) && hasWholeEscapes(text)
}

function isExpression(text: string): boolean {
  const variables = text.replace(/^[+#./;?&=,!@|]/, '').split(',')
  return hasWholeEscapes(text) && variables.every((one) => variablePattern.test(one))
}

const variablePattern = /^[\w%]+(?:\.[\w%]+)*(?::[1-9]\d{0,3}|\*)?$/

/** Whether a text is a public URL of the web or of FTP; no draft has this format, but some schemas use it. */
export function isWebUrl(text: string): boolean {
  const { scheme = '', authority = '', path, query = '', fragment = '' } = splitUri(text)
  if (!/^(?:https?|ftp)$/i.test(scheme) || /\s/.test(path + query + fragment)) return false
  const at = authority.lastIndexOf('@')
  if (at === 0 || /\s/.test(authority)) return false
  const [, host = '', port = ''] = /^([^:]*)(.*)$/s.exec(authority.slice(at + 1)) ?? []
  return /^(?::\d{2,5})?$/.test(port) && (isPublicIpv4(host) || isDomain(host))
}

/** Whether a host is an IPv4 address outside of the networks that RFC 6890 reserves for private use and this host. */
function isPublicIpv4(host: string): boolean {
  if (!isIpv4(host)) return false
  const [first = 0, second = 0, , last = 0] = host.split('.').map(Number)
  const isReserved =
    [0, 10, 127].includes(first) ||
    first > 223 ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  return !isReserved && last > 0 && last < 255
}

/** Whether a host is a domain name with a top-level domain; its labels may be in any script. */
function isDomain(host: string): boolean {
  const labels = host.split('.')
  return (
    labels.length > 1 &&
    /^[a-z\u00a1-\uffff]{2,}$/i.test(labels.at(-1) ?? '') &&
    labels.every((label) => /^[a-z\d\u00a1-\uffff]+(?:-[a-z\d\u00a1-\uffff]+)*$/i.test(label))
  )
}
