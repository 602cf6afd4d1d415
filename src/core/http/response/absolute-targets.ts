import type { Answer, RenderContext } from '../../dialects/contract/dialect.ts'
import { ownValue } from '../../json/json.ts'

/**
 * Resolves relative URLs in the headers `Location` and `Link` (RFC 8288) of an answer against the URL of the
 * request, so that a page of another origin can pass them to `fetch` as they are.
 */
export function withAbsoluteTargets(answer: Answer, context: RenderContext): Answer {
  const { headers } = answer
  if (headers.length === 0) return answer
  const toAbsolute = ([name, value]: (typeof headers)[number]): (typeof headers)[number] => [
    name,
    ownValue(resolvers, name.toLowerCase())?.(value, context) ?? value,
  ]
  return { ...answer, headers: headers.map(toAbsolute) }
}

/** The functions that resolve the URLs in the value of a header, by its name. */
const resolvers: Readonly<Record<string, typeof resolve>> = {
  link: resolveLinks,
  location: resolve,
}

/** Resolves every target of a `Link` header; a quoted parameter can contain angle brackets, too. */
function resolveLinks(value: string, context: RenderContext): string {
  return value.replaceAll(/"(?:[^"\\]|\\.)*"|<([^>]*)>/g, (part, target?: string) =>
    target === undefined ? part : `<${resolve(target, context)}>`,
  )
}

/** Resolves a reference (RFC 3986 §5.2). Keeps dot segments, which clients remove. */
function resolve(reference: string, { origin, path }: RenderContext): string {
  if (reference.startsWith('//')) return origin.slice(0, origin.indexOf('/')) + reference
  if (reference.startsWith('/')) return origin + reference
  if (/^[a-z][a-z\d+.-]*:/i.test(reference)) return reference
  const base = reference.startsWith('?') ? path : path.slice(0, path.lastIndexOf('/') + 1)
  return origin + base + reference
}
