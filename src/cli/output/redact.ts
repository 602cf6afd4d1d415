/** A path with query whose secret values are hidden: tokens, keys, passwords. */
export function redactQuery(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const pairs = url.slice(at + 1).split('&')
  return `${url.slice(0, at)}?${pairs.map(redactPair).join('&')}`
}

/** Names as they are compared: lower case, without separators. */
const SECRETS = new Set([
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'authorization',
  'apikey',
  'password',
  'passwd',
  'pwd',
  'secret',
  'clientsecret',
  'signature',
  'sessionid',
  'jwt',
])

function redactPair(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0 || !SECRETS.has(toName(pair.slice(0, at)))) return pair
  return `${pair.slice(0, at)}=***`
}

function toName(text: string): string {
  return decode(text)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
