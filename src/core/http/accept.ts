import { MockError } from '../errors.ts'
import { takesAnything } from './plain.ts'

/**
 * Makes sure that the client takes JSON (RFC 9110 §12.5.1).
 * @throws MockError 406
 */
export function checkAccept(accept: string | undefined): void {
  if (!accept || takesAnything(accept)) return
  const ranges = accept.split(',').map(parseRange)
  if (takesJson(ranges) || ranges.some(({ type, quality }) => quality > 0 && asJson.test(type))) {
    return
  }
  throw new MockError(
    `Failed to answer as "${accept}": there is only application/json. Please accept that.`,
    { status: 406, code: 'NOT_ACCEPTABLE' },
  )
}

/** Other names that JSON is taken for: its relatives, and HTML for a person who looks at it. */
const asJson = /^(?:application\/[\w.-]+\+json|text\/(?:html|json|\*))$/

/** How much a client would like a type that it names itself, from 0 to 1 (RFC 9110 §12.4.2). */
export function qualityOf(accept: string, type: string): number {
  return Math.max(
    0,
    ...accept
      .split(',')
      .map(parseRange)
      .filter((range) => range.type === type)
      .map(({ quality }) => quality),
  )
}

interface Range {
  type: string
  quality: number
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
}

/** The most exact range that JSON fits decides. */
function takesJson(ranges: readonly Range[]): boolean {
  for (const name of ['application/json', 'application/*', '*/*']) {
    const found = ranges.filter(({ type }) => type === name)
    if (found.length > 0) return found.some(({ quality }) => quality > 0)
  }
  return false
}
