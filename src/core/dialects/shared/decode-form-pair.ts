/** One character as UTF-8 writes it, also one that breaks off, or a byte that begins none. */
const characters =
  /%[cd][\da-f](?:%[89ab][\da-f])?|%e[\da-f](?:%[89ab][\da-f]){0,2}|%f[0-7](?:%[89ab][\da-f]){0,3}|%[\da-f]{2}/gi

/**
 * Decodes the name and the value of a part of a form as Node and browsers do: what is no escape stays,
 * and U+FFFD stands for an escape that is no UTF-8.
 */
export function decodeFormPair(part: string): [name: string, value: string] {
  const at = part.indexOf('=')
  if (at < 0) return [decodeLoosely(part), '']
  return [decodeLoosely(part.slice(0, at)), decodeLoosely(part.slice(at + 1))]
}

function decodeLoosely(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return decode(spaced) ?? spaced.replaceAll(characters, (one) => decode(one) ?? '\uFFFD')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
