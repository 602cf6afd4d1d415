import { type Check, checkOptions, isCallable, isText } from '../core/errors/check.ts'
import { codeOf } from '../core/errors/error-details.ts'
import { configError, MockError } from '../core/errors/mock-error.ts'
import type { DataOf } from '../core/mock/core-mock.ts'
import { isSessionName } from '../core/text/session-name.ts'
import { toMilliseconds } from '../core/time/duration.ts'
import { toInstant } from '../core/time/instant.ts'
import { findChecks, probed, toRecord } from '../core/mock/db.ts'
import type { FindOptions } from '../core/types/find-types.ts'
import type { LogEntry } from '../core/log/log.ts'
import { type RequestPattern, toCompare } from '../core/log/request-pattern.ts'
import { type Client, createClient, type Fetch, isJsonValue } from './client.ts'
import type {
  RemoteDb,
  RemoteLog,
  RemoteMock,
  RemoteScenarios,
  RemoteRule,
  RemoteRuleEffects,
  RemoteRuleHandle,
  RemoteRuleList,
} from './types.ts'
import type { Rule, RuleState } from '../core/http/rules/rule.ts'
import { createRules, type RuleEntry } from '../core/http/rules/rules.ts'

/**
 * Connects to a running mock, such as `mock server`, by its URL, and returns an object with the calls of a
 * local mock. `connect` itself sends no request. The types of the records come from the type of the fixtures:
 * `connect<typeof fixtures>(url)`.
 * @throws MockError when the URL or an option is wrong
 * @example
 * const mock = connect<{ posts: Post[] }>('http://localhost:3000', { session: 'test-1' })
 * await mock.db.posts.insert({ title: 'New' })
 * await mock.on('GET', '/posts').fail(500, { times: 1 })
 */
export function connect<Fixtures extends object = Record<string, unknown>>(
  url: string | URL,
  options: ConnectOptions = {},
): RemoteMock<DataOf<Fixtures>> {
  const { session } = options
  const client = openClient(url, options)
  const { origin, send } = client
  const rules = createRemoteRules(client)
  const pathOf = (name: unknown): string => `snapshots?id=${encodeURIComponent(String(name))}`
  return {
    db: createRemoteDb(client),
    on: rules.on,
    async reset() {
      await send('POST', 'reset')
      rules.reset()
    },
    login: (user, options = {}) => send('POST', 'login', { ...options, user }),
    snapshot: async (name) => void (await send('PUT', pathOf(name))),
    restore: async (name) => void (await send('POST', pathOf(name))),
    snapshots: () => send('GET', 'snapshots'),
    async scenario(name) {
      const doing = `activate the scenario ${JSON.stringify(name)}`
      await send('PUT', 'scenarios', name).catch(explainMissing(doing, origin))
    },
    scenarios: () =>
      send<RemoteScenarios>('GET', 'scenarios').catch(explainMissing('list the scenarios', origin)),
    rules: { list: rules.list, end: rules.end },
    state: () => send('GET', 'state'),
    clock: createRemoteClock(client),
    log: createRemoteLog(client),
    get routes() {
      return send<Awaited<RemoteMock['routes']>>('GET', 'routes')
    },
    async end() {
      if (session === undefined) throw noSession(origin)
      await send('DELETE', 'sessions', session)
    },
  }
}

/** The options of {@link connect}. */
export interface ConnectOptions {
  /** The session to control, with data, rules, clock and log of its own. @default the whole mock */
  session?: string | undefined
  /** The token that a server beyond this machine prints. @default the parameter `token` of the URL */
  token?: string | undefined
  /** Sends the requests. @default the global fetch */
  fetch?: Fetch
}

/** Creates the HTTP client that `connect` uses. @throws MockError when the URL or an option is wrong */
export function openClient(url: string | URL, options: ConnectOptions): Client {
  checkOptions('the options of connect', options, optionChecks)
  const { origin, searchParams } = toUrl(url)
  const { session, token = searchParams.get('token') ?? '', fetch } = options
  return createClient(origin, { session, token, fetch })
}

function createRemoteClock({ send }: Client): RemoteMock['clock'] {
  return {
    now: async () => (await send<{ now: number }>('GET', 'clock')).now,
    async advance(time) {
      toMilliseconds(time)
      await send('POST', 'clock/advance', time)
    },
    set: async (time) => void (await send('PUT', 'clock', toInstant(time))),
  }
}

const optionChecks: Readonly<Record<keyof ConnectOptions, Check>> = {
  session: [isSessionName, '1 to 128 printable ASCII characters'],
  token: isText,
  fetch: isCallable,
}

function toUrl(text: string | URL): URL {
  const { location } = globalThis as { location?: { href: string } }
  const isValid = URL.canParse(String(text), location?.href)
  const url = isValid ? new URL(text, location?.href) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw configError(
    `Failed to connect to "${String(text)}": it is not the URL of a server. Please write it as http://localhost:3000.`,
  )
}

function explainMissing(doing: string, origin: string): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) !== 'NOT_FOUND') throw error
    throw new MockError(
      `Failed to ${doing}: the mock at "${origin}" has no scenarios. Please add scenarios() to "use", or a folder _scenarios to the fixtures.`,
      { status: 404, code: 'SCENARIO_UNKNOWN' },
    )
  }
}

function noSession(origin: string): MockError {
  return new MockError(
    `Failed to end the session: the mock at "${origin}" is controlled as a whole. Please give the name of a session: connect(url, { session }).`,
    { code: 'SESSION_MISSING' },
  )
}

/** Any name gives an access, because only the server knows which resources exist. */
function createRemoteDb<Data>(client: Client): RemoteDb<Data> {
  return new Proxy({} as RemoteDb<Data>, {
    get: (_, name) =>
      typeof name === 'string' && !probed.test(name) ? toResource(client, name) : undefined,
  })
}

function toResource({ send }: Client, name: string): object {
  const path = `db/${encodeURIComponent(name)}`
  const pathOf = (id: unknown): string => `${path}?id=${encodeURIComponent(String(id))}`
  const search = async (call: string, options: FindOptions = {}): Promise<unknown> => {
    checkOptions(`the options of ${call}`, options, findChecks)
    return send('POST', `${path}/${call}`, withOperands(options))
  }
  /** A singleton has no id: `update(fields)`, unlike `update(id, fields)`. */
  const write = async (method: string, [first, ...rest]: unknown[]): Promise<unknown> =>
    rest.length === 0
      ? send(method, path, toRecord(first))
      : send(method, pathOf(first), toRecord(rest[0]))
  return {
    get: async (...ids: unknown[]) =>
      ids.length === 0 ? send('GET', path) : send('GET', pathOf(ids[0])).catch(toUndefined),
    all: () => send('GET', path),
    find: (options?: FindOptions) => search('find', options),
    count: (options?: FindOptions) => search('count', options),
    insert: async (record: unknown) => send('POST', path, toRecord(record)),
    update: (...args: unknown[]) => write('PATCH', args),
    replace: (...args: unknown[]) => write('PUT', args),
    remove: async (id: unknown) => send('DELETE', pathOf(id)),
    clear: async () => void (await send('DELETE', path)),
  }
}

function toUndefined(error: unknown): undefined {
  if (error instanceof MockError && error.code === 'RECORD_UNKNOWN') return undefined
  throw error
}

/** Without a text for each value that JSON drops, `{ title: undefined }` would find every record. */
function withOperands({ where, ...rest }: { where?: unknown }): unknown {
  if (where === undefined) return rest
  const text = JSON.stringify(where, (_, value: unknown) =>
    isJsonValue(value) ? value : String(value),
  )
  return { ...rest, where: JSON.parse(text) as unknown }
}

/** The server compares patterns; a function is called here, with every entry. */
function createRemoteLog({ send }: Client): RemoteLog {
  const all = (): Promise<LogEntry[]> => send('GET', 'log')
  const search = async <Value>(name: string, pattern: RequestPattern | string): Promise<Value> =>
    send('POST', `log/${name}`, toPlain(pattern))
  const filter: RemoteLog['filter'] = async (wanted) => {
    if (typeof wanted === 'function') return (await all()).filter(wanted)
    return (await search<{ requests: LogEntry[] }>('find', wanted)).requests
  }
  return {
    all,
    filter,
    find: async (wanted) => (await filter(wanted))[0],
    count: (pattern = {}) => search('count', pattern),
    nearMisses: (pattern) => search('nearMisses', pattern),
    explain: ({ method, url }) => send('POST', 'log/explain', { method, url }),
    clear: async () => void (await send('DELETE', 'log')),
  }
}

function toPlain(pattern: RequestPattern | string): RequestPattern | string {
  toCompare(pattern, '')
  if (typeof pattern !== 'string' && pattern.body !== undefined) {
    JSON.stringify(pattern.body, (key, value: unknown) => {
      if (isJsonValue(value)) return value
      throw notJson(key, value)
    })
  }
  return pattern
}

/** Creates the error for a value that JSON leaves out: without the value, the pattern would match more requests. */
function notJson(key: string, value: unknown): MockError {
  const name = key === '' ? 'body' : key
  return new MockError(
    `Failed to search the log of a running mock: "${name}" of the pattern cannot be ${typeof value === 'number' ? value : typeof value}. Please give JSON, or search with a function: mock.log.filter((entry) => …).`,
    { status: 400, code: 'PATTERN_INVALID' },
  )
}

/** Creates remote rules: all effects of a statement `on(…).delay(200).fail(500)` are one request. */
function createRemoteRules({ send }: Client): RemoteRules {
  let resets = 0

  /** Adds a rule, and returns a handle that removes it. */
  async function add(input: unknown): Promise<RemoteRuleHandle> {
    const [rule] = await send<RuleState[]>('POST', 'rules', input)
    const number = rule?.number ?? 0
    const addedAfter = resets
    return {
      number,
      async remove() {
        if (resets === addedAfter) await send('DELETE', `rules/${number}`).catch(toFalse)
      },
    }
  }

  return {
    list: () => send('GET', 'rules'),
    end: (number) =>
      send('DELETE', number === undefined ? 'rules' : `rules?id=${number}`).then(
        () => true,
        toFalse,
      ),
    on(method, path) {
      // A rule of a local mock checks the effects, with its own errors.
      const rules = createRules('')
      const rule = rules.on(method, path)
      const errors: unknown[] = []
      let added: RemoteRule | undefined
      let isSent = false

      /** Notes an effect; all effects of a statement are sent together, when it has run. */
      function set(effect: (rule: Rule) => void): RemoteRule {
        if (isSent) return chain(Promise.reject(tooLate()))
        try {
          effect(rule)
        } catch (error) {
          errors.push(error)
        }
        return (added ??= chain(Promise.resolve().then(addAll)))
      }

      function addAll(): Promise<RemoteRuleHandle> {
        isSent = true
        if (errors.length > 0) throw errors[0]
        return add(toInput(rules.entries()[0]))
      }

      const effects: RemoteRuleEffects = {
        fail: (status, options) => set((one) => one.fail(status, options)),
        reply: (status, body, options) => set((one) => one.reply(status, body, options)),
        drop: (options) => set((one) => one.drop(options)),
        delay: (time, options) => set((one) => one.delay(time, options)),
        times: (count) => set((one) => one.times(count)),
      }
      const chain = (promise: Promise<RemoteRuleHandle>): RemoteRule =>
        Object.assign(promise, effects)
      return effects
    },
    reset: () => void resets++,
  }
}

/** The rules of a running mock, with those that other clients add. */
interface RemoteRules extends RemoteRuleList {
  on(method: string, path: string): RemoteRuleEffects
  /** Forgets the rules of the client, as a reset of the mock has removed them and numbers rules from 1 again. */
  reset(): void
}

function toInput(entry: RuleEntry | undefined): unknown {
  if (!entry) return undefined
  const { method, path, delay, left, answer } = entry
  return {
    on: `${method} ${path}`,
    ...(delay && { delay }),
    ...(left < Infinity && { times: left }),
    ...(answer && (answer.status === 0 ? { drop: toDrop(answer) } : toResponse(answer))),
  }
}

function toDrop({ after }: NonNullable<RuleEntry['answer']>): true | object {
  return after === undefined || { after }
}

function toResponse({ status, headers, body }: NonNullable<RuleEntry['answer']>): object {
  const response = { status, headers: Object.fromEntries(headers) }
  if (body === null) return { ...response, empty: true }
  if (body === undefined || typeof body === 'string') return { ...response, body }
  throw new MockError(
    'Failed to add a rule: its body is neither JSON nor a text, and cannot be sent to a running mock. Please give JSON or a text.',
    { status: 400, code: 'RULE_INVALID' },
  )
}

function tooLate(): MockError {
  return new MockError(
    'Failed to change a rule: it is already sent. Please give all effects in one statement, as in mock.on("GET", "/posts").delay(200).fail(500).',
    { status: 400, code: 'RULE_SENT' },
  )
}

/** Returns false for the error of a rule that has ended, which is removed already. @throws any other error */
function toFalse(error: unknown): false {
  if (!(error instanceof MockError) || error.code !== 'RULE_UNKNOWN') throw error
  return false
}
