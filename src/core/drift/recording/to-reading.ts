import { isRecord, type JsonRecord } from '../../json/json.ts'
import { type Params, parseParams } from '../../url/params.ts'
import type { Answer, Reading, Target } from '../observe/answer.ts'
import { unwrapList } from '../observe/unwrap.ts'

/** A parameter that selects fields, so that others are missing on purpose. */
const selecting = /^[_$]?(?:fields|select|only|attributes|columns)(?:\[.*\])?$/i
/** A parameter that adds related records. */
const embedding = /^[_$]?(?:embed|expand|include|includes|populate|with|join|relations)$/i

/** What a recorded response shows, and of which resource; undefined for a response that shows none. */
export function toReading(
  answer: Answer,
  path: string,
  targets: readonly Target[],
): { target: Target; reading: Reading } | undefined {
  const query = paramsOf(answer.path)
  if (query.some(([name]) => selecting.test(name))) return undefined
  const own = targets.find(({ name }) => path === name)
  if (own) {
    const role = own.kind === 'collection' ? 'list' : 'whole'
    return { target: own, reading: { ...withoutEmbeds(answer, query, own), role } }
  }
  const outer = targets.find(
    ({ name, kind }) => kind === 'collection' && path.startsWith(`${name}/`),
  )
  if (!outer) return undefined
  const [, child, ...deeper] = path.slice(outer.name.length + 1).split('/')
  if (child === undefined) {
    const isUnknown = answer.status === 404 || answer.status === 410
    const reading = withoutEmbeds(answer, query, outer)
    return { target: outer, reading: { ...reading, role: isUnknown ? 'unknown' : 'member' } }
  }
  const nested = targets.find(({ name, kind }) => name === child && kind === 'collection')
  if (!nested || deeper.length > 0 || !unwrapList(answer.body, nested.name)) return undefined
  return { target: nested, reading: { ...withoutEmbeds(answer, query, nested), role: 'data' } }
}

/** An answer without the fields that a parameter such as `_embed=author` has added. */
function withoutEmbeds(answer: Answer, query: Params, { name }: Target): Answer {
  const added = query
    .filter(([key]) => embedding.test(key))
    .flatMap(([, value]) => value.split(/[,.]/))
  if (added.length === 0) return answer
  const strip = (row: JsonRecord): JsonRecord =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !added.includes(key)))
  const rows = unwrapList(answer.body, name)
  if (rows) return { ...answer, body: rows.content.map(strip) }
  return isRecord(answer.body) ? { ...answer, body: strip(answer.body) } : answer
}

/** The parameters of a path; none where they are not encoded as they should be. */
function paramsOf(path: string): Params {
  try {
    return path.includes('?') ? parseParams(path.slice(path.indexOf('?'))) : []
  } catch {
    return []
  }
}
