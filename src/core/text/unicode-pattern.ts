/**
 * Creates a pattern whose character classes may contain `\p{L}`, `\p{M}`, `\p{N}`, `\p{Cs}` and `\p{Script=Latin}`. The
 * older engines of React Native (Hermes) refuse these, and get ranges that cover the scripts in use.
 */
export function unicodePattern(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch {
    const ranges = source.replaceAll(/\\p\{([\w=]+)\}/g, (_, name: string) => classes[name] ?? '')
    return new RegExp(ranges, flags)
  }
}

const classes: Readonly<Record<string, string>> = {
  L: String.raw`A-Za-z\u00AA-\u02FF\u0370-\u1FFF\u2C00-\u2DFF\u3040-\uD7FF\uF900-\uFDFF`,
  M: String.raw`\u0300-\u036F`,
  N: '0-9',
  Cs: String.raw`\uD800-\uDFFF`,
  'Script=Latin': 'A-Za-z',
}
