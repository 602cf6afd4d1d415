import type { Answer, RenderContext } from '../../dialects/contract/dialect.ts'

/**
 * Resolves relative URLs in the headers `Location` and `Link` (RFC 8288) of an answer against the URL of the
 * request, so that a page of another origin can pass them to `fetch` as they are.
 */
export function withAbsoluteTargets(answer: Answer, context: RenderContext): Answer {
  if (!answer.headers.some(([name]) => hasTargets.test(name))) return answer
  const headers = answer.headers.map(([name, value]): Answer['headers'][number] => {
    if (!hasTargets.test(name)) return [name, value]
    const isLink = name.length === 'Link'.length
    return [name, isLink ? resolveLinks(value, context) : resolve(value, context)]
  })
  return { ...answer, headers }
}

const hasTargets = /^(?:link|location)$/i

/** Resolves every target of a `Link` header; a quoted parameter can contain angle brackets, too. */
function resolveLinks(value: string, context: RenderContext): string {
  return value.replaceAll(/"(?:[^"\\]|\\.)*"|<([^>]*)>/g, (part, target?: string) =>
    target === undefined ? part : `<${resolve(target, context)}>`,
  )
}

/** Resolves a reference (RFC 3986 §5.2). Keeps dot segments, which clients remove. */
function resolve(reference: string, { origin, path }: RenderContext): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(reference)) return reference
  if (reference.startsWith('//')) return origin.slice(0, origin.indexOf('//')) + reference
  if (reference.startsWith('/')) return origin + reference
  if (reference.startsWith('?')) return origin + path + reference
  return origin + path.slice(0, path.lastIndexOf('/') + 1) + reference
}
