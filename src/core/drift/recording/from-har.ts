import { isRecord, type Json } from '../../json/json.ts'
import { fromBase64 } from '../../text/base64.ts'
import { splitUri } from '../../url/uri.ts'
import { decodePath, findPrefix, withoutSlash } from '../match-paths.ts'
import type { Answer, Reading, Target } from '../observe/answer.ts'
import { toReading } from './to-reading.ts'

/** What a recording shows of the resources of the fixtures. */
export interface Recording {
  readings: ReadonlyMap<Target, readonly Reading[]>
  /** The number of JSON responses whose bodies are not in the file. */
  bodiless: number
}

/**
 * Reads the responses to GETs from an HTTP archive (HAR 1.2): those at the paths of the fixtures, below whatever origin
 * and prefix. Undefined for a value that is no archive.
 */
export function fromHar(
  har: unknown,
  targets: readonly Target[],
  base: string,
): Recording | undefined {
  const entries = isRecord(har) && isRecord(har['log']) ? har['log']['entries'] : undefined
  if (!Array.isArray(entries)) return undefined
  const gets = entries.flatMap(toAnswer)
  const prefix = findPrefix(
    gets.map(({ url }) => withoutSlash(withoutQuery(url))),
    targets.map(({ name }) => encodePath(name)),
    base,
  )
  const readings = new Map<Target, Reading[]>()
  for (const answer of gets) {
    const url = withoutSlash(withoutQuery(answer.url))
    if (!url.startsWith(`${prefix}/`) || answer.body === undefined) continue
    const path = decodePath(url.slice(prefix.length + 1))
    const found = toReading(answer, path, targets)
    if (found) readings.set(found.target, [...(readings.get(found.target) ?? []), found.reading])
  }
  const bodiless = gets.filter(({ body, status }) => body === undefined && status === 200).length
  return { readings, bodiless }
}

function toAnswer(entry: Json): Answer[] {
  const { request, response } = isRecord(entry) ? entry : {}
  if (!isRecord(request) || !isRecord(response) || request['method'] !== 'GET') return []
  const { status, headers, content } = response
  const { text, encoding, mimeType } = isRecord(content) ? content : {}
  const url = textOf(request['url']).replace(/#.*/s, '')
  const { path, query } = splitUri(url)
  // A response without a body of its own, such as 304, says nothing.
  if (typeof status !== 'number' || status < 200 || (status >= 300 && status < 400)) return []
  if (typeof mimeType === 'string' && mimeType !== '' && !mimeType.includes('json')) return []
  const body =
    typeof text === 'string' ? parse(encoding === 'base64' ? fromBase64(text) : text) : undefined
  return [
    {
      url,
      path: query === undefined ? path : `${path}?${query}`,
      status,
      body,
      header: (name) => headerIn(headers, name),
    },
  ]
}

function headerIn(headers: Json | undefined, name: string): string | undefined {
  const list = Array.isArray(headers) ? headers.filter(isRecord) : []
  const found = list.find((one) => textOf(one['name']).toLowerCase() === name)
  return found && textOf(found['value'])
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, '')
}

function encodePath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
