/**
 * Decodes a name-value pair of a form or a query string as Node and browsers do (WHATWG URL §5.1): keeps an
 * invalid percent-encoding, and replaces invalid UTF-8 by U+FFFD.
 */
export function decodeFormPair(part: string): [name: string, value: string] {
  const at = part.indexOf('=')
  if (at < 0) return [decodeLoosely(part), '']
  return [decodeLoosely(part.slice(0, at)), decodeLoosely(part.slice(at + 1))]
}

/**
 * Matches one percent-encoded UTF-8 sequence of one to four bytes, such as `%C3%A9`; also an incomplete
 * sequence or a stray byte, which `decodeLoosely` replaces by U+FFFD.
 */
const sequence =
  /%[cd][\da-f](?:%[89ab][\da-f])?|%e[\da-f](?:%[89ab][\da-f]){0,2}|%f[0-7](?:%[89ab][\da-f]){0,3}|%[\da-f]{2}/gi

function decodeLoosely(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return decode(spaced) ?? spaced.replaceAll(sequence, (one) => decode(one) ?? '\uFFFD')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
