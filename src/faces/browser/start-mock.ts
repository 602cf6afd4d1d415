import type { HttpHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { type Check, checkOptions, isFlag, isOneOf, isText } from '../../core/errors/check.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { CoreMock } from '../../core/mock/core-mock.ts'
import { handlers } from '../msw/handlers.ts'
import { isOrigin } from '../web/web.ts'
import { awaitControl } from './control.ts'
import { keep, type Place } from './persist.ts'
import { checkScript } from './worker-script.ts'

/** How a page is mocked. */
export interface StartOptions {
  /** Keeps what requests did across reloads: of this tab, or of all tabs and for later. @default nowhere */
  persist?: Place
  /** Only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
  /** What happens with requests that are not the mock's. @default 'bypass' */
  unhandled?: 'bypass' | 'warn' | 'error'
  /** Whether msw stays silent about the requests that it answers. @default true */
  quiet?: boolean
  /** Where the worker's script is. @default '/mockServiceWorker.js' */
  worker?: string
}

/** A page that is mocked. */
export interface Started {
  /** Lets requests go to the network again. */
  stop(): Promise<void>
}

/**
 * Answers the page's requests from the mock; resolves once every further request is answered. Another
 * call hands the page to another mock.
 * @throws MockError when the worker cannot start, with what to do about it
 * @example await startMock(createMock({ fixtures, base: '/api' }), { persist: 'session' })
 */
export async function startMock(
  mock: Answerer & Pick<CoreMock, 'store'>,
  options: StartOptions = {},
): Promise<Started> {
  checkOptions('the options of startMock', options, startChecks)
  const { persist, origin } = options
  current?.end()
  const mine = { end: persist ? keep(mock.store, persist, `fixtura:${mock.base}`) : () => {} }
  current = mine
  // Not every worker can be stopped, but what is nobody's goes to the network.
  const gate: Answerer = {
    base: mock.base,
    handle: (request, access) => mock.handle(request, access),
    owns: (path) => current === mine && mock.owns(path),
  }
  const own = handlers(gate, { ...(origin !== undefined && { origin }) })
  try {
    if (running) (await running).worker.resetHandlers(...own)
    else await (running = startWorker(own, options))
  } catch (error) {
    mine.end()
    running = undefined
    throw error
  }
  return {
    async stop() {
      if (current !== mine || !running) return
      const { worker, isOther } = await running
      // The page may be another mock's by now.
      if (current !== mine) return
      mine.end()
      current = undefined
      running = undefined
      const stopped: unknown = worker.stop()
      // A worker of msw 2 never tells msw 3 that it has stopped.
      if (!isOther) await stopped
    },
  }
}

const startChecks: Readonly<Record<keyof StartOptions, Check>> = {
  persist: isOneOf('session', 'local'),
  origin: isOrigin,
  unhandled: isOneOf('bypass', 'warn', 'error'),
  quiet: isFlag,
  worker: isText,
}

/** A page has one worker, whoever starts it, and one mock behind it. */
let running: Promise<Running> | undefined
let current: { end(): void } | undefined

interface Running {
  worker: ReturnType<typeof setupWorker>
  isOther: boolean
}

async function startWorker(own: HttpHandler[], options: StartOptions): Promise<Running> {
  const { unhandled = 'bypass', quiet = true, worker: url = '/mockServiceWorker.js' } = options
  const worker = setupWorker(...own)
  const major = 'readyState' in worker ? 3 : 2
  const { isOther } = await checkScript(url, major)
  if (isOther) {
    console.warn(
      `"${url}" is not of msw ${major}, which this page uses. Please run "npx mock init", which writes it again.`,
    )
  }
  // The majors name the same option differently.
  const unmatched = { onUnhandledRequest: unhandled, onUnhandledFrame: unhandled }
  try {
    await worker.start({ quiet, serviceWorker: { url }, ...unmatched })
  } catch (cause) {
    throw new MockError(`Failed to start the mock: ${toMessage(cause)}`, {
      code: 'WORKER_FAILED',
      cause,
    })
  }
  await awaitControl(url)
  return { worker, isOther }
}
