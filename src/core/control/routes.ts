import {
  checkOptions,
  isAmount,
  isCount,
  isEither,
  isFlag,
  isMapOf,
  isObject,
  isText,
} from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import { isRecord, ownValue, type Json } from '../json/json.ts'
import type { MockLog } from '../log/log-search.ts'
import { suggest } from '../errors/nearest.ts'
import { toPattern } from '../log/request-pattern.ts'
import { toInstant } from '../time/instant.ts'
import { toMilliseconds, type Delay, isDelay } from '../time/duration.ts'
import { isResourceRoute, type MockInternals } from '../http/contract/internals.ts'
import type { LoginOptions } from '../http/contract/hooks.ts'
import { acceptsEvents } from '../http/response/accept.ts'
import type { DropOptions } from '../http/rules/rule.ts'
import { createStream } from '../http/response/streams.ts'
import { andThen, type MaybePromise, type MockResponse } from '../http/contract/messages.ts'
import type { Resource } from '../store/records/resource.ts'
import { type ControlAnswer, type ControlRequest, type Controls, paramOf } from './contract.ts'
import { changeControls } from './changes.ts'
import { dbControls } from './db.ts'
import { toCurl } from './to-curl.ts'
import { splitPattern } from '../url/pattern.ts'

/** The endpoints that every mock has; `:name` is a segment, `*` any number of segments. */
export const controls: Controls = {
  '': { GET: ({ mock }) => ({ value: describe(mock) }) },
  state: { GET: ({ mock }) => ({ value: describe(mock) }) },
  routes: { GET: ({ mock }) => ({ value: mock.routes }) },
  read: { GET: read },
  db: dbControls,
  changes: changeControls,
  clock: {
    GET: ({ mock }) => readClock(mock),
    PUT({ mock, input }) {
      mock.clock.set(toInstant(input))
      return readClock(mock)
    },
    'POST advance'({ mock, input }) {
      mock.clock.advance(toMilliseconds(input))
      return readClock(mock)
    },
  },
  login: {
    async POST({ mock, input, request: { origin } }) {
      const asked: unknown = isRecord(input) ? input : { user: input }
      const { user, ...options } = asked as LoginOptions & { user: string }
      return { value: await mock.login(user, { origin, ...options }) }
    },
  },
  reset: {
    POST({ mock }) {
      mock.reset()
      return { value: describe(mock) }
    },
  },
  snapshots: {
    GET: ({ mock }) => ({ value: mock.snapshots() }),
    POST({ mock, input }) {
      mock.snapshot(nameIn(input))
      return { status: 201, value: mock.snapshots() }
    },
    'PUT :name'({ mock, name }) {
      mock.snapshot(name)
      return { value: mock.snapshots() }
    },
    'DELETE :name'({ mock, name }) {
      mock.removeSnapshot(name)
      return { value: mock.snapshots() }
    },
    'POST :name'({ mock, name }) {
      mock.restore(name)
      return { value: describe(mock) }
    },
  },
  rules: {
    GET: ({ mock }) => ({ value: mock.rules.list() }),
    POST({ mock, input }) {
      addRule(mock, input)
      return { status: 201, value: mock.rules.list() }
    },
    DELETE({ mock }) {
      mock.rules.end()
      return { value: mock.rules.list() }
    },
    'PUT :name'({ mock, name, input }) {
      checkOptions('the rule', input, { isOn: isFlag }, ['isOn'])
      const isThere = mock.rules.switch(Number(name), (input as { isOn: boolean }).isOn)
      return isThere ? { value: mock.rules.list() } : unknownRule('switch', name)
    },
    'DELETE :name'({ mock, name }) {
      return mock.rules.end(Number(name))
        ? { value: mock.rules.list() }
        : unknownRule('remove', name)
    },
  },
  problems: { GET: ({ whole }) => ({ value: whole.problems?.list() ?? [] }) },
  log: {
    GET: ({ mock, whole, request }) =>
      acceptsEvents(request.headers) ? streamLog(mock, whole) : { value: mock.log },
    DELETE({ mock }) {
      mock.clearLog()
      return { value: [] }
    },
    'POST :name'({ mock, name, input }) {
      const search = ownValue(searches, name)
      if (search) return andThen(search(mock.log, input), (value) => ({ value }))
      throw new MockError(
        `Failed to find the search "${name}" of the log. ${suggest(name, Object.keys(searches))}`,
        { status: 404 },
      )
    },
  },
  'log.curl': {
    GET: ({ mock, request }) => ({
      type: 'text/plain; charset=utf-8',
      body: mock.log.map((entry) => `${toCurl(entry, request.origin)}\n`).join(''),
    }),
  },
}

const searches: Record<string, (log: MockLog, input: unknown) => unknown> = {
  find(log, input) {
    const wanted = toPattern(input)
    const requests = log.filter(wanted)
    const nearMisses = requests.length === 0 ? log.nearMisses(wanted) : []
    return { count: requests.length, requests, nearMisses }
  },
  count: (log, input) => log.count(toPattern(input)),
  nearMisses: (log, input) => log.nearMisses(toPattern(input)),
  explain(log, input) {
    checkOptions('the request', input, { method: isText, url: isText }, ['method', 'url'])
    return log.explain(input as Parameters<MockLog['explain']>[0])
  },
}

function describe({
  base,
  dialect,
  store,
  routes,
  log,
  behaviours,
  snapshots,
}: MockInternals): unknown {
  const resources = routes.filter(isResourceRoute)
  return {
    base,
    dialect: dialect?.name ?? 'rest',
    resources: resources.map(({ resource, path, kind, count }) => ({
      name: resource,
      path,
      kind,
      count,
      ...idFieldOf(store.resources.get(resource)),
    })),
    behaviours: behaviours.map(({ name, controls = {}, page }) => ({
      name,
      page,
      controls: Object.keys(controls),
    })),
    snapshots: snapshots(),
    requests: log.length,
  }
}

function unknownRule(action: string, name: string): never {
  throw new MockError(
    `Failed to ${action} the rule "${name}": there is no rule with this number. Please see GET /__mock/rules.`,
    { status: 404, code: 'RULE_UNKNOWN' },
  )
}

/** For the home page: no rule, delay, fault or limit applies. @throws MockError 400 if the parameter `url` is no path */
function read({ mock, request, access }: ControlRequest): MaybePromise<MockResponse> {
  const url = paramOf(request, 'url') ?? ''
  const [path = '', search = ''] = url.split(/(?=\?)(.*)/s, 2)
  if (path.startsWith('/')) {
    return mock.handle({ ...request, path, search }, { ...access, isInspection: true })
  }
  throw new MockError(
    'Failed to read: the parameter "url" is no path. Please send it as ?url=%2Fposts%3F_page%3D2.',
    { status: 400 },
  )
}

function idFieldOf(resource: Resource | undefined): { idField?: string } {
  return resource?.kind === 'collection' ? { idField: resource.idField } : {}
}

function nameIn(input: unknown): string {
  const name = isRecord(input) ? input['name'] : input
  if (typeof name === 'string' && name !== '') return name
  throw new MockError(
    'Failed to take a snapshot: it has no name. Please send {"name":"checkout"}.',
    { status: 400 },
  )
}

function streamLog(mock: MockInternals, { problems }: MockInternals): ControlAnswer {
  const stream = createStream()
  let isNotified = false
  // Synchronous changes are combined into one event.
  const notifyChange = (): void => {
    if (isNotified) return
    isNotified = true
    stream.write('event: change\ndata: {}\n\n')
    void Promise.resolve().then(() => (isNotified = false))
  }
  stream.write('retry: 1000\n\n')
  stream.onEnd(mock.onRequest((entry) => stream.write(`data: ${JSON.stringify(entry)}\n\n`)))
  stream.onEnd(mock.store.changes.subscribe(notifyChange))
  if (problems) stream.onEnd(problems.subscribe(notifyChange))
  stream.onEnd(mock.onEnd(stream.end))
  return { type: 'text/event-stream; charset=utf-8', body: stream.body }
}

function readClock({ clock }: MockInternals): ControlAnswer {
  const now = clock.now()
  return { value: { now, time: new Date(now).toISOString() } }
}

/** Adds a rule as `mock.on` does: `{"on":"GET /posts/:id","status":500}`. @throws MockError */
export function addRule(mock: MockInternals, input: unknown): void {
  checkOptions(
    'the rule',
    input,
    {
      on: isText,
      status: isAmount,
      body: [() => true, 'any JSON'],
      empty: isFlag,
      headers: isMapOf(isText),
      drop: isEither(isFlag, isObject),
      delay: isDelay,
      times: isCount,
    },
    ['on'],
  )
  const {
    on,
    status,
    body,
    empty,
    headers = {},
    drop,
    delay,
    times = Infinity,
  } = input as RuleInput
  const rule = mock.on(...splitPattern(on))
  const options = { times, headers, ...(body !== undefined && { body }) }
  if (drop === true || isRecord(drop)) rule.drop({ ...(isRecord(drop) && drop), times })
  else if (status !== undefined && empty === true) rule.reply(status, undefined, { times, headers })
  else if (status !== undefined) rule.fail(status, options)
  else if (body !== undefined) rule.reply(200, body, options)
  else if (delay === undefined) {
    throw new MockError(
      'Failed to add a rule: it does nothing. Please give "status", "body", "drop" or "delay".',
      { status: 400 },
    )
  }
  // Last, as it cannot fail: a refused rule leaves no delay behind.
  if (delay !== undefined) rule.delay(delay, { times })
}

interface RuleInput {
  /** The pattern of the requests: `GET /posts/:id`. */
  on: string
  status?: number
  body?: Json
  /** Whether the response has no body, in place of the error that the dialect writes for the status. */
  empty?: boolean
  headers?: Record<string, string>
  drop?: boolean | DropOptions
  delay?: Delay
  times?: number
}
