/** Decodes a pair as browsers do (WHATWG URL §5.1): keeps invalid percent-encodings, and replaces invalid UTF-8. */
export function decodeFormPair(part: string): [name: string, value: string] {
  const at = part.indexOf('=')
  if (at < 0) return [decodeLoosely(part), '']
  return [decodeLoosely(part.slice(0, at)), decodeLoosely(part.slice(at + 1))]
}

/** Matches one percent-encoded UTF-8 sequence, such as `%C3%A9`, also an incomplete one, or a stray byte. */
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
