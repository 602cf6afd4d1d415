import type {
  BrowserContext,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import { type Check, checkOptions, isEither, isListOf, isText } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { LogEntry } from '../../core/log/log.ts'
import type { DataOf } from '../../core/mock/core-mock.ts'
import { sessionCookie, sessionHeader } from '../../core/text/session-name.ts'
import { connect } from '../../remote/connect.ts'
import type { RemoteMock } from '../../remote/types.ts'
import { isOrigin } from '../web/web.ts'

/**
 * Creates a Playwright `test` that gives each test a session of a running mock: its pages send the session
 * with every request to the mock, as a header and a cookie, and `mock` controls it. The report of a failed
 * test has the requests of the session; the session ends with the test.
 * @throws MockError when an option is wrong, or `@playwright/test` is not installed
 * @example
 * const test = mockTest<{ posts: Post[] }>({ url: 'http://localhost:3000' })
 * test('shows an error', async ({ page, mock }) => {
 *   await mock.on('GET', '/posts').fail(503)
 *   await page.goto('/')
 * })
 */
export function mockTest<Fixtures extends object = AnyData>(
  options: MockTestOptions & { test?: undefined },
): TestType<TestArgs & MockTestFixtures<DataOf<Fixtures>>, WorkerArgs>
export function mockTest<
  Fixtures extends object = AnyData,
  Test extends object = TestArgs,
  Worker extends object = WorkerArgs,
>(
  options: MockTestOptions & { test: TestType<Test, Worker> },
): TestType<Test & MockTestFixtures<DataOf<Fixtures>>, Worker>
export function mockTest(
  options: MockTestOptions & { test?: unknown },
): TestType<TestArgs & MockTestFixtures<AnyData>, WorkerArgs> {
  checkOptions('the options of mockTest', options, optionChecks, ['url'])
  const { url, token, app } = options
  const base = (options.test ?? loadTest()) as TestType<TestArgs, WorkerArgs>
  return base.extend<MockTestFixtures<AnyData>>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the needed fixtures from the pattern.
    mockSession: async ({}, use, { testId, retry }) => {
      const random = Math.random().toString(36).slice(2)
      await use(`${testId}-${retry}-${random}`)
    },
    mock: async ({ mockSession: session }, use, testInfo) => {
      const mock = connect(url, { session, token }) as RemoteMock<AnyData>
      // The first request creates the session, and fails if there is no mock with sessions.
      await mock.clock.now()
      await use(mock)
      if (testInfo.status !== testInfo.expectedStatus) {
        const body = toText(await mock.log.all())
        await testInfo.attach('requests to the mock', { body, contentType: 'text/plain' })
      }
      await mock.end()
    },
    context: async ({ context, mock, mockSession, baseURL }, use) => {
      void mock
      await joinSession(context, mockSession, url, [app ?? baseURL ?? []].flat())
      await use(context)
    },
  })
}

/** The options of `mockTest`. */
export interface MockTestOptions {
  /** The URL of the running mock, which needs `sessions()`: `http://localhost:3000`. */
  url: string
  /** The token that a server beyond this machine prints. @default the parameter `token` of the URL */
  token?: string
  /** The origins of the application, whose requests get the cookie of the session. @default Playwright's `baseURL` */
  app?: string | readonly string[]
}

/** The fixtures of a test that `mockTest` creates. */
export interface MockTestFixtures<Data> {
  /** The mock as the session of the test sees it. */
  mock: RemoteMock<Data>
  /** The name of the session, for requests that the test sends itself: the header `X-Mock-Session`. */
  mockSession: string
}

/** Playwright's own fixtures of a test, and those of a worker. */
type TestArgs = PlaywrightTestArgs & PlaywrightTestOptions
type WorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/** The data of fixtures whose type is not given. */
type AnyData = Record<string, unknown>

const optionChecks: Readonly<Record<keyof MockTestOptions | 'test', Check>> = {
  url: isOrigin,
  token: isText,
  app: isEither(isOrigin, isListOf(isOrigin)),
  test: [(value) => typeof value === 'function', 'the "test" of @playwright/test'],
}

/** Makes all pages of a context send the session to the mock, and its cookie to the application too. */
async function joinSession(
  context: BrowserContext,
  session: string,
  mock: string,
  app: readonly string[],
): Promise<void> {
  const { origin } = new URL(mock)
  const origins = new Set([origin, ...app.map((one) => new URL(one).origin)])
  await context.addCookies(
    Array.from(origins, (one) => ({ name: sessionCookie, value: session, url: one })),
  )
  // A page sends no cookies to another origin, unless it asks for them. `extraHTTPHeaders` would send the
  // header to every origin, and origins without CORS for the header would refuse the request.
  await context.route(
    (url) => url.origin === origin,
    (route, request) =>
      route.fallback({ headers: { ...request.headers(), [sessionHeader]: session } }),
  )
}

/** The user's copy of Playwright, loaded when it is needed: `mockRoute` works without this package. */
function loadTest(): unknown {
  const { createRequire } = process.getBuiltinModule('node:module')
  try {
    const { test } = createRequire(import.meta.url)('@playwright/test') as { test: unknown }
    return test
  } catch (cause) {
    throw new MockError(
      'Failed to load "@playwright/test". Please run npm install --save-dev @playwright/test, or give its "test": mockTest({ url, test }).',
      { code: 'PLAYWRIGHT_MISSING', cause },
    )
  }
}

/** The log as text: a line for each request, with the reason of an unusual response and the body below. */
function toText(log: readonly LogEntry[]): string {
  const lines = log.map(({ method, url, status, ms, reason, body }) => {
    const result = status === 0 ? 'dropped' : status
    const line = `${method} ${url} ${result} ${ms} ms${reason && `  ${reason}`}`
    return body === undefined ? line : `${line}\n  ${JSON.stringify(body)}`
  })
  return lines.length > 0 ? lines.join('\n') : 'There were no requests to the mock.'
}
