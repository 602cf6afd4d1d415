import type { Fetch } from '../../remote/client.ts'
import type { RemoteMock } from '../../remote/types.ts'

/**
 * Runs a function that a test passes to `cy.mock`. `cy.request` sends the requests of the function, because
 * the origin of the application's pages may not control the mock. Cypress forbids commands in a promise, so
 * each request ends one command, which waits for the request, and begins another, which sends it.
 */
export function runCall(cy: Commands, call: (fetch: Fetch) => unknown): Chain {
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
export type Call = (mock: RemoteMock) => unknown

/** The part of Cypress's commands that `cy.mock` consists of. */
export interface Commands {
  wrap(value: unknown, options: { log: boolean }): Chain
  request(options: CypressRequest): Chain
}

/** A chain of commands; a callback can return a further chain. */
export interface Chain {
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
