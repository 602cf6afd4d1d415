import { toCurl } from '../../core/control/to-curl.ts'
import type { LogEntry } from '../../core/log/log.ts'
import type { RequestPattern } from '../../core/log/request-pattern.ts'
import type { RemoteLog } from '../../remote/types.ts'
import { firstItems } from '../bounds.ts'
import type { Controllable, Tool } from '../tool.ts'

/** Tools that search, explain and clear the log of requests, in which secrets are redacted. */
export const logTools: readonly Tool[] = [
  {
    name: 'find_requests',
    title: 'Find requests',
    description:
      'Finds requests that the application has sent to the mock, the newest first, with the status of the response and the reason of an unusual one (a rule, a fault, auth, a limit, no route). A 404 has the nearest routes. Where no request matches, returns the nearest ones and how they differ.',
    effect: 'reads',
    input: {
      method: { type: 'string', description: 'POST, or several with commas: "PUT,PATCH".' },
      path: {
        type: 'string',
        description: 'A path below the base: "/posts/:id", "/admin/*", or "posts" for all below.',
      },
      status: {
        type: 'integer',
        description: 'The status of the response; 0 for a dropped connection.',
      },
      query: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
        description: 'Parameters that the request has.',
      },
      body: { description: 'A part of the JSON body: {"title":"x"}.' },
      unusual: { type: 'boolean', description: 'Only errors and responses with a reason.' },
      details: {
        type: 'boolean',
        description: 'Adds the headers, the body and a curl command of each request.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
    },
    run: findRequests,
  },
  {
    name: 'explain_request',
    title: 'Explain a request',
    description:
      'Says why a request would reach no route, or not the rule that was expected: the nearest rules and routes, and how they differ. Sends nothing.',
    effect: 'reads',
    input: {
      method: { type: 'string', description: 'GET, POST, …' },
      url: {
        type: 'string',
        description: 'The path with the base, and the query: "/api/post?x=1".',
      },
    },
    required: ['method', 'url'],
    run: explainRequest,
  },
  {
    name: 'clear_log',
    title: 'Clear the log',
    description: 'Forgets the requests so far, to see only those of the next step.',
    effect: 'changes',
    input: {},
    async run({ mock }) {
      await mock.log.clear()
      return { requests: 0 }
    },
  },
]

interface LogArgs extends RequestPattern {
  unusual?: boolean
  details?: boolean
  limit?: number
}

/** The number of 404s whose nearest routes are in a result. */
const mostExplained = 5

async function findRequests(
  { mock, url }: Controllable,
  { unusual = false, details = false, limit = 20, ...pattern }: LogArgs,
): Promise<object> {
  const { log } = mock
  const matching = await log.filter(pattern)
  if (matching.length === 0) return { total: 0, requests: [], ...(await nearestTo(log, pattern)) }
  const found = unusual ? matching.filter(isUnusual) : matching
  const newest = found.toReversed().slice(0, limit)
  const { origin } = new URL(url)
  const rows = firstItems(newest.map((entry) => toRow(entry, details, origin)))
  const explained = newest.filter(({ status }) => status === 404).slice(0, mostExplained)
  const requests = await Promise.all(
    rows.map(async (row, at) => {
      const entry = newest[at]
      if (!entry || !explained.includes(entry)) return row
      const nearest = await log.explain(entry)
      return nearest.length > 0 ? { ...row, nearest } : row
    }),
  )
  const hint =
    rows.length < found.length
      ? `The newest ${rows.length} of ${found.length}. Narrow the pattern to see others.`
      : undefined
  return { total: found.length, requests, ...(hint !== undefined && { hint }) }
}

function isUnusual({ status, reason }: LogEntry): boolean {
  return status === 0 || status >= 400 || reason !== ''
}

function toRow(entry: LogEntry, hasDetails: boolean, origin: string): object {
  const { time, method, url, status, ms, bytes, reason, headers, body } = entry
  const row = {
    time: new Date(time).toISOString(),
    method,
    url,
    status,
    ms,
    bytes,
    ...(reason !== '' && { reason }),
  }
  if (!hasDetails) return row
  return { ...row, headers, ...(body !== undefined && { body }), curl: toCurl(entry, origin) }
}

async function nearestTo(log: RemoteLog, pattern: RequestPattern): Promise<object> {
  const misses = await log.nearMisses(pattern)
  const nearMisses = firstItems(
    misses.slice(0, mostExplained).map(({ request, differences }) => ({
      request: `${request.method} ${request.url} ${request.status}`,
      differences,
    })),
  )
  const count = await log.count()
  const hint =
    count === 0
      ? 'The log is empty: no request has reached the mock. Does the application use its URL, and this session?'
      : `None of the ${count} requests in the log matches.`
  return { nearMisses, hint }
}

async function explainRequest(
  { mock }: Controllable,
  { method, url }: { method: string; url: string },
): Promise<object> {
  const nearest = await mock.log.explain({ method, url })
  const [routes, rules] = await Promise.all([mock.routes, mock.rules.list()])
  return {
    nearest,
    rules: rules.map(({ number, on }) => `${number}: ${on}`),
    routes: routes.map(({ methods, path }) => `${methods.join(',')} ${path}`),
  }
}
