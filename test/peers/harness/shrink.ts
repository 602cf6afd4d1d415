import type { Database } from './database.ts'
import { toCurl } from './exchange.ts'
import { type Case, type Outcome, replay, type Setup } from './run.ts'

/** Looks for a smaller case that still fails, by leaving out requests, resources and records. */
export async function shrink(setup: Setup, outcome: Outcome, limit = 120): Promise<Outcome> {
  let best = outcome
  let left = limit
  const accept = async (candidate: Case): Promise<boolean> => {
    if (left-- <= 0) return false
    const result = await replay(setup, candidate)
    if (!result.failure) return false
    best = result
    return true
  }
  const last = best.requests.at(-1)
  if (last) await accept({ database: best.database, requests: [last] })
  const writes = best.requests.filter(({ method }, at, { length }) =>
    at === length - 1 ? true : method !== 'GET' && method !== 'HEAD',
  )
  await accept({ database: best.database, requests: writes })
  for (let at = best.requests.length - 1; at >= 0; at--) {
    await accept({ database: best.database, requests: best.requests.toSpliced(at, 1) })
  }
  for (const name of Object.keys(best.database)) {
    const { [name]: _, ...rest } = best.database
    await accept({ database: rest, requests: best.requests })
  }
  for (const name of Object.keys(best.database)) await shrinkRecords(name)
  return best

  async function shrinkRecords(name: string): Promise<void> {
    const records = (): Database[string][] => {
      const value = best.database[name]
      return Array.isArray(value) ? value : []
    }
    for (let size = Math.ceil(records().length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < records().length;) {
        const database = { ...best.database, [name]: records().toSpliced(at, size) }
        if (!(await accept({ database, requests: best.requests }))) at += size
      }
    }
  }
}

/** Tells of a failure: the seed, the database, the requests as commands, and the difference. */
export function report(seed: string, { database, requests, failure }: Outcome): string {
  const show = (value: unknown): string => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
    return text.length > 1500 ? `${text.slice(0, 1500)}...` : text
  }
  return [
    `Seed ${seed}: the answers differ in the ${failure?.what ?? 'nothing'}.`,
    `  database: ${show(database)}`,
    ...requests.slice(-8).map((request) => `  ${toCurl('http://localhost:3000', request)}`),
    `  expected: ${show(failure?.reference)}`,
    `  received: ${show(failure?.subject)}`,
  ].join('\n')
}
