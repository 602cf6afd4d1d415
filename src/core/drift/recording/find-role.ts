import { isRecord, type JsonRecord } from '../../json/json.ts'
import type { Param } from '../../learn/parse/parsed-exchange.ts'
import { type ParameterRole, roleOf } from '../../learn/recognize/parameters.ts'
import type { Answer, Reading, Target } from '../observe/observed-response.ts'
import { unwrapList } from '../observe/unwrap.ts'

/** A recorded request, and the resources that it can be for. */
export interface Asked {
  /** The decoded path below the prefix of the API: `posts/1`. */
  path: string
  query: readonly Param[]
  targets: readonly Target[]
}

/** Finds the resource of a recorded response and the role of the response; undefined for a response of no resource. */
export function findRole(
  answer: Answer,
  { path, query, targets }: Asked,
): { target: Target; reading: Reading } | undefined {
  // Where a request selects fields, others are missing on purpose.
  if (valuesOf(query, 'fields').length > 0) return undefined
  const toFound = (
    target: Target,
    role: Reading['role'],
  ): { target: Target; reading: Reading } => ({
    target,
    reading: { ...withoutEmbeds(answer, query, target), role },
  })
  const own = targets.find(({ name }) => path === name)
  if (own) return toFound(own, own.kind === 'collection' ? 'list' : 'whole')
  const outer = targets.find(
    ({ name, kind }) => kind === 'collection' && path.startsWith(`${name}/`),
  )
  if (!outer) return undefined
  const [, child, ...deeper] = path.slice(outer.name.length + 1).split('/')
  if (child === undefined) {
    const isUnknown = answer.status === 404 || answer.status === 410
    return toFound(outer, isUnknown ? 'unknown' : 'member')
  }
  const nested = targets.find(({ name, kind }) => name === child && kind === 'collection')
  if (!nested || deeper.length > 0 || !unwrapList(answer.json, nested.name)) return undefined
  return toFound(nested, 'data')
}

/** An answer without the fields that a parameter such as `_embed=author` has added. */
function withoutEmbeds(answer: Answer, query: readonly Param[], { name }: Target): Answer {
  const added = valuesOf(query, 'embed').flatMap((value) => value.split(/[,.]/))
  if (added.length === 0) return answer
  const strip = (row: JsonRecord): JsonRecord =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !added.includes(key)))
  const rows = unwrapList(answer.json, name)
  if (rows) return { ...answer, json: rows.content.map(strip) }
  return isRecord(answer.json) ? { ...answer, json: strip(answer.json) } : answer
}

/** The values of the parameters with a role. */
function valuesOf(query: readonly Param[], role: ParameterRole): string[] {
  return query.flatMap(([name, value]) =>
    roleOf(name, value, () => false) === role ? [value] : [],
  )
}
