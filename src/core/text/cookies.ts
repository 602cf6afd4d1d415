/** Returns the values of all cookies of one name in a `Cookie` header (RFC 6265 §4.2.1), in their order. */
export function cookiesOf(header: string | undefined, name: string): string[] {
  const pairs = header?.split(';') ?? []
  return pairs.flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
}
