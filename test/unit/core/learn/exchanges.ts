import type { RecordedExchange } from '../../../../src/core/learn/parse-exchange.ts'
import type { Learned } from '../../../../src/core/learn/learned.ts'
import { createLearner, type LearnerOptions } from '../../../../src/core/learn/learner.ts'
import type { Json } from '../../../../src/core/json/json.ts'

/** The origin of the API in the tests. */
export const origin = 'https://api.shop.test'

/** An exchange in short: `GET /posts` with the JSON of the response, and what differs from a 200. */
export type Short = readonly [request: string, json: Json | undefined, more?: More]

interface More {
  status?: number
  sent?: Json
  headers?: [name: string, value: string][]
}

/** Exchanges that follow each other by a second. */
export function toExchanges(shorts: readonly Short[]): RecordedExchange[] {
  return shorts.map(([request, json, { status = 200, sent, headers = [] } = {}], at) => {
    const [method = '', path = ''] = request.split(/ (?=\/)/)
    return {
      startedAt: at * 1000,
      method,
      url: origin + path,
      requestHeaders: [['Content-Type', 'application/json']],
      requestBody: sent === undefined ? undefined : JSON.stringify(sent),
      status,
      headers: [...headers, ...(json === undefined ? [] : [jsonType])],
      body: json === undefined ? undefined : JSON.stringify(json),
    }
  })
}

const jsonType: [string, string] = ['Content-Type', 'application/json']

/** What is learned from exchanges. */
export function learn(shorts: readonly Short[], options: LearnerOptions = {}): Learned {
  const learner = createLearner(options)
  for (const exchange of toExchanges(shorts)) learner.add(exchange)
  return learner.learned()
}

/** The data of the resources by name. */
export function dataOf({ resources }: Learned): Record<string, Json> {
  return Object.fromEntries(resources.map(({ name, value }) => [name, value]))
}

/** The configuration as one object, with the likeliest dialect. */
export function configOf({ options, dialects }: Learned): Record<string, unknown> {
  const config: Record<string, unknown> = {}
  for (const { path, value } of options) {
    const inside = path.slice(0, -1).reduce((object, key) => {
      return (object[key] ??= {}) as Record<string, unknown>
    }, config)
    inside[path.at(-1) ?? ''] = value
  }
  const [dialect] = dialects
  return dialect?.value === undefined ? config : { ...config, dialect: dialect.value }
}
