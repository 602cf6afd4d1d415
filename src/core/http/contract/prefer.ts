/**
 * Parses a `Prefer` header (RFC 7240 §2): a list of preferences, each a token, which ignores case, with an
 * optional value (a token or a quoted string) and parameters, which are left out. Of several preferences with
 * one name, the first counts; a malformed preference is ignored.
 * @example parsePrefer('return=minimal, wait="2"; x').get('wait') // '2'
 */
export function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  for (const element of header.match(elements) ?? []) {
    const [, name, token, quoted = ''] = preference.exec(element) ?? []
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (!preferences.has(key)) preferences.set(key, token ?? quoted.replaceAll(/\\(.)/g, '$1'))
  }
  return preferences
}

const preference =
  /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*(?:=[ \t]*(?:([\w!#$%&'*+\-.^`|~]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?(?:;|$)/

/** Matches the elements of a list: commas separate them, but not inside of quoted strings. */
const elements = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,"])+/g
