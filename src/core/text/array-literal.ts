import { type Json, tryJson } from '../json/json.ts'

/** Parses an array as PostgreSQL (`{1,"a b",NULL}`) or JSON writes it; undefined for another text. */
export function parseArray(text: string): Json[] | undefined {
  const written = text.trim()
  if (!/^\{.*\}$/s.test(written)) {
    const list = written.startsWith('[') ? tryJson(written) : undefined
    return Array.isArray(list) ? list : undefined
  }
  const elements = /("(?:[^"\\]|\\[^])*")|[{}]|[^{},"]+/g
  const asJson = written.replaceAll(elements, (part, quoted?: string) => {
    if (quoted !== undefined)
      return JSON.stringify(quoted.slice(1, -1).replaceAll(/\\([^])/g, '$1'))
    if (part === '{' || part === '}') return part === '{' ? '[' : ']'
    return part.trim() === '' || /^\s*null\s*$/i.test(part)
      ? part.toLowerCase()
      : JSON.stringify(part.trim())
  })
  return tryJson(asJson) as Json[] | undefined
}
