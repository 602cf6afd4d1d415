import { vi } from 'vitest'

/** A chain of commands of the fake: a promise that is no promise for the code under test. */
interface Chain {
  result: Promise<unknown>
  then(callback: (subject: never) => unknown): Chain
}

/** What the fake notes of a test. */
export interface FakeCypress {
  /** Runs a test between the hooks; rejects with the error of a command. */
  runTest(test: (cy: { mock(call: unknown): Chain }) => void): Promise<void>
  cookies: [name: string, value: string, domain: string][]
  /** Sends a request as a page does: through `cy.intercept`. */
  request(url: string, init?: RequestInit): Promise<Response>
}

/**
 * Replaces the globals of Cypress by a fake that runs commands one after the other, and has the rules of
 * Cypress: a callback of `then` must not return a promise and use commands too.
 */
export function fakeCypress(baseUrl: string | null): FakeCypress {
  let begun: Promise<unknown>[] = []
  let uses = 0
  let last: Promise<unknown> = Promise.resolve()
  let intercepted: { url: RegExp; handler: (request: object) => void } | undefined
  const hooks = { before: [] as (() => void)[], after: [] as (() => void)[] }
  const cookies: FakeCypress['cookies'] = []
  let command: (call: unknown) => Chain = () => chain(Promise.reject(new Error('no command')))

  function chain(result: Promise<unknown>): Chain {
    begun.push(result)
    return {
      result,
      // oxlint-disable-next-line no-thenable -- As a chain of Cypress.
      then: (callback) =>
        chain(
          result.then((subject) => {
            const before = uses
            const returned = callback(subject as never)
            if (returned instanceof Promise && uses > before) {
              throw new Error('returned a promise in a command that invoked cy commands')
            }
            return isChain(returned) ? returned.result : (returned ?? subject)
          }),
        ),
    }
  }

  const cy = {
    mock(call: unknown) {
      last = last.then(() => command(call).result)
      return chain(last)
    },
    wrap(value: unknown) {
      uses++
      return chain(Promise.resolve(value))
    },
    request(options: {
      url: string
      method: string
      headers: Record<string, string>
      body?: string
    }) {
      uses++
      const { url, ...init } = options
      return chain(fetch(url, init).then(toCypress))
    },
    setCookie(name: string, value: string, { domain }: { domain: string }) {
      uses++
      cookies.push([name, value, domain])
    },
    intercept({ url }: { url: RegExp }, handler: (request: object) => void) {
      uses++
      intercepted = { url, handler }
    },
  }

  vi.stubGlobal('cy', cy)
  vi.stubGlobal('Cypress', {
    config: () => baseUrl,
    Commands: { add: (_: string, run: typeof command) => void (command = run) },
  })
  vi.stubGlobal('beforeEach', (run: () => void) => hooks.before.push(run))
  vi.stubGlobal('afterEach', (run: () => void) => hooks.after.push(run))

  /** Waits for all commands, also those that begin meanwhile. */
  async function settle(): Promise<void> {
    while (begun.length > 0) await Promise.all(begun.splice(0))
  }

  return {
    cookies,
    async runTest(test) {
      begun = []
      last = Promise.resolve()
      for (const hook of hooks.before) hook()
      await settle()
      try {
        test(cy)
        await settle()
      } finally {
        for (const hook of hooks.after) hook()
        await settle()
      }
    },
    request(url, init = {}) {
      const request = { headers: { ...(init.headers as object) } }
      if (intercepted?.url.test(url)) intercepted.handler(request)
      return fetch(url, { ...init, headers: request.headers })
    },
  }
}

function isChain(value: unknown): value is Chain {
  return typeof value === 'object' && value !== null && 'result' in value
}

/** A response as `cy.request` has it: a JSON body is parsed. */
async function toCypress(response: Response): Promise<object> {
  const headers = Object.fromEntries(response.headers)
  const text = await response.text()
  const isJson = headers['content-type']?.startsWith('application/json')
  return { status: response.status, headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}
