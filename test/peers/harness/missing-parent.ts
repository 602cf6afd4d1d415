import { isDeepStrictEqual } from 'node:util'

import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json.ts'
import { importJsonServer1 } from './json-server-1.ts'
import type { Answered, AskBoth } from './run.ts'

type Where = Record<string, unknown>

const reserved = new Set(['_sort', '_page', '_per_page', '_embed', '_where'])

/**
 * Whether the subject finds what json-server 1 would find if its filters did not let records pass that
 * have nothing where a filter looks inside: told by its own filter, asked in another way.
 */
export async function differsByMissingParent(
  { request }: Answered,
  ask: AskBoth,
): Promise<boolean> {
  if (request.method !== 'GET') return false
  const [path = '', query = ''] = request.path.split('?')
  const pairs = [...new URLSearchParams(query)]
  const kept = pairs.filter(([name]) => !['_sort', '_page', '_per_page'].includes(name))
  const answers = await ask({ ...request, path: `${path}?${new URLSearchParams(kept).toString()}` })
  const [all, found] = answers.map(({ text }) => JSON.parse(text) as Json)
  if (!Array.isArray(all)) return false
  const { matchesWhere } = await importJsonServer1<{
    matchesWhere: (record: JsonRecord, where: Where) => boolean
  }>('lib/matches-where.js')
  const where = await readWhere(pairs)
  const strict = all.filter(
    (record) => isRecord(record) && matchesWhere(record, withoutGuesses(record, where)),
  )
  return strict.length < all.length && isDeepStrictEqual(found, strict)
}

async function readWhere(pairs: readonly (readonly [string, string])[]): Promise<Where> {
  const { parseWhere } = await importJsonServer1<{ parseWhere: (query: string) => Where }>(
    'lib/parse-where.js',
  )
  const tree = pairs.find(([name]) => name === '_where')?.[1]
  try {
    const parsed: unknown = JSON.parse(tree ?? '')
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch {
    // What is no JSON is passed over.
  }
  const filters = pairs
    .filter(([name]) => !reserved.has(name))
    .map(([name, value]) => [name, value])
  return parseWhere(new URLSearchParams(filters).toString())
}

const known = ['lt', 'lte', 'gt', 'gte', 'eq', 'ne', 'in', 'contains', 'startsWith', 'endsWith']
const impossible = { '\0': { eq: 1 } }

/** The tree with what looks inside of nothing replaced by what never holds. */
function withoutGuesses(record: JsonRecord, where: Where): Where {
  const entries = Object.entries(where).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'or' && Array.isArray(value)) {
      const branches = (value as unknown[]).map((one) =>
        isRecord(one) ? withoutGuesses(record, one) : one,
      )
      return [[key, branches]]
    }
    if (!isRecord(value) || known.some((operator) => operator in value)) return [[key, value]]
    if (Object.keys(value).length === 0) return [[key, value]]
    const field = record[key]
    return isRecord(field) ? [[key, withoutGuesses(field, value)]] : Object.entries(impossible)
  })
  return Object.fromEntries(entries)
}
