/**
 * Parses a `Prefer` header (RFC 7240 §2): a list of preferences, each a token, which ignores case, with an
 * optional value (a token or a quoted string) and parameters, which are left out. Of several preferences with
 * one name, the first counts; a malformed preference is ignored.
 * @example parsePrefer('return=minimal, wait="2"; x').get('wait') // '2'
 */
export function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  for (const element of splitList(header)) {
    const match = preference.exec(element)
    if (!match) continue
    const [, name = '', token, quoted = ''] = match
    const key = name.toLowerCase()
    if (!preferences.has(key)) preferences.set(key, token ?? quoted.replaceAll(/\\(.)/g, '$1'))
  }
  return preferences
}

const preference =
  /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*(?:=[ \t]*(?:([\w!#$%&'*+\-.^`|~]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?(?:;|$)/

/** Splits a list at its commas, but not inside of quoted strings. */
function splitList(header: string): string[] {
  const elements: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const character = header[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at++
    else if (character === ',' && !isQuoted) {
      elements.push(header.slice(start, at))
      start = at + 1
    }
  }
  return [...elements, header.slice(start)]
}
