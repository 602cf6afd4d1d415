import { checkOptions, isText } from '../../core/errors/check.ts'
import type { DataOf } from '../../core/mock/core-mock.ts'
import { sessionCookie, sessionHeader } from '../../core/text/session-name.ts'
import { connect } from '../../remote/connect.ts'
import type { RemoteMock } from '../../remote/types.ts'
import { isOrigin } from '../web/web.ts'
import type { Fetch } from '../../remote/client.ts'

/**
 * Adds the command `cy.mock` to Cypress, and gives each test a session of a running mock: its pages send the
 * session with every request to the mock, as a header and a cookie. The session ends with the test. Belongs
 * in the support file.
 * @throws MockError when an option is wrong
 * @example addMockCommand({ url: 'http://localhost:3000' })
 */
export function addMockCommand(options: MockCommandOptions): void {
  checkOptions('the options of addMockCommand', options, { url: isOrigin, token: isText }, ['url'])
  const { url, token } = options
  const { Cypress, beforeEach, afterEach } = globalThis as unknown as CypressGlobals
  const { origin } = new URL(url)
  let session = ''

  function run(call: Call): Chain {
    const { cy } = globalThis as unknown as CypressGlobals
    return runCall(cy, (fetch) => call(connect(url, { session, token, fetch })))
  }

  Cypress.Commands.add('mock', run)

  beforeEach(() => {
    const { cy } = globalThis as unknown as CypressGlobals
    session = `cypress-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
    const urls = [url, Cypress.config('baseUrl') ?? url]
    for (const domain of new Set(urls.map((one) => new URL(one).hostname))) {
      cy.setCookie(sessionCookie, session, { domain, log: false })
    }
    // A page sends no cookies to another origin, unless it asks for them.
    cy.intercept({ url: startsWith(`${origin}/`), middleware: true }, (request) => {
      request.headers[sessionHeader.toLowerCase()] = session
    })
  })

  afterEach(() => void run((mock) => mock.end()))
}

/** The options of `addMockCommand`. */
export interface MockCommandOptions {
  /** The URL of the running mock, which needs `sessions()`: `http://localhost:3000`. */
  url: string
  /** The token that a server beyond this machine prints. @default the parameter `token` of the URL */
  token?: string
}

/**
 * The command `cy.mock`: calls a function with the mock of the test's session, and yields the result.
 * @example cy.mock((mock) => mock.db.posts.insert({ title: 'New' })).then((post) => cy.visit(`/posts/${post.id}`))
 */
export type MockCommand<Fixtures extends object = Record<string, unknown>> = <Result>(
  call: (mock: RemoteMock<DataOf<Fixtures>>) => PromiseLike<Result> | Result,
) => // oxlint-disable-next-line no-generated-empty-object-type -- Its members are those of Cypress.
Cypress.Chainable<Result>

declare global {
  // Merges with the types of Cypress if they are installed.
  namespace Cypress {
    // oxlint-disable-next-line no-explicit-any, no-unused-vars -- The type of Cypress.
    interface Chainable<Subject = any> {}
  }
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`)
}

interface CypressGlobals {
  Cypress: {
    Commands: { add(name: 'mock', command: (call: Call) => Chain): void }
    config(name: 'baseUrl'): string | null
  }
  cy: Commands & {
    setCookie(name: string, value: string, options: { domain: string; log: boolean }): unknown
    intercept(
      matcher: { url: RegExp; middleware: boolean },
      handler: (request: { headers: Record<string, unknown> }) => void,
    ): unknown
  }
  beforeEach(run: () => void): void
  afterEach(run: () => void): void
}

/**
 * Runs a function that a test passes to `cy.mock`. `cy.request` sends the requests of the function, because
 * the origin of the application's pages may not control the mock. Cypress forbids commands in a promise, so
 * each request ends one command, which waits for the request, and begins another, which sends it.
 */
function runCall(cy: Commands, call: (fetch: Fetch) => unknown): Chain {
  const queue: PendingRequest[] = []
  let onRequest = (): void => {}
  const fetch: Fetch = (url, { method = 'GET', headers = {}, body }) =>
    new Promise((resolve) => {
      const request = { url, method, headers, failOnStatusCode: false, log: false }
      const withBody = typeof body === 'string' ? { ...request, body } : request
      queue.push({ request: withBody, answer: resolve })
      onRequest()
    })
  const end = runToEnd(() => call(fetch))

  async function next(): Promise<Step> {
    const first = queue.shift()
    if (first) return first
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    return Promise.race([end, requested.then(next)])
  }

  const step = (): Chain =>
    cy
      .wrap(undefined, { log: false })
      .then(next)
      .then((nextStep: Step) => {
        if ('error' in nextStep) throw nextStep.error
        if ('value' in nextStep) return cy.wrap(nextStep.value, { log: false })
        return cy
          .request(nextStep.request)
          .then((response: CypressResponse) => nextStep.answer(toResponse(response)))
          .then(step)
      })
  return step()
}

/** A function that a test passes to `cy.mock`. */
type Call = (mock: RemoteMock) => unknown

/** The part of Cypress's commands that `cy.mock` consists of. */
interface Commands {
  wrap(value: unknown, options: { log: boolean }): Chain
  request(options: CypressRequest): Chain
}

/** A chain of commands; a callback can return a further chain. */
interface Chain {
  then(callback: (subject: never) => unknown): Chain
}

interface CypressRequest {
  url: string
  method: string
  headers: object
  body?: string
  failOnStatusCode: boolean
  log: boolean
}

/** The response of `cy.request`; a body of the type `application/json` is parsed. */
interface CypressResponse {
  status: number
  headers: Record<string, string | string[]>
  body: unknown
}

interface PendingRequest {
  request: CypressRequest
  answer(response: Response): void
}

/** The next step of the function: a request, or its end. */
type Step = PendingRequest | { value: unknown } | { error: unknown }

/** Runs a function, and waits until the requests that it does not wait for are sent, too. */
async function runToEnd(call: () => unknown): Promise<Step> {
  const ended = await Promise.resolve()
    .then(call)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
  await new Promise((resolve) => void setTimeout(resolve))
  return ended
}

function toResponse({ status, headers, body }: CypressResponse): Response {
  const list = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const type = String(headers['content-type'])
  // Problem details stay a text in some versions of Cypress.
  const isText = typeof body === 'string' && !type.startsWith('application/json')
  return new Response(isText ? body : JSON.stringify(body), { status, headers: list })
}
