import type { HttpHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import {
  type Check,
  checkOptions,
  isEither,
  isFlag,
  isOneOf,
  isText,
} from '../../core/errors/check.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { type StorageKind, persistChanges } from './persist.ts'
import { awaitControl, checkScript } from './service-worker.ts'
import { offerStudio } from './studio.ts'
import { createHandlers } from '../msw/handlers.ts'
import { isOrigin } from '../web/web.ts'

/**
 * Answers the page's requests from a mock, through MSW's service worker. Resolves when the worker
 * controls the page. A second call replaces the mock.
 * @throws MockError when an option is invalid, or the worker cannot start
 * @example
 * const mock = createMock({ fixtures, base: '/api' })
 * await startMock(mock, { persist: 'session' })
 * createRoot(document.body).render(<App />)
 */
export async function startMock(mock: AnyMock, options: StartOptions = {}): Promise<Started> {
  const answerer = internalsOf(mock, 'the mock of startMock')
  checkOptions('the options of startMock', options, startChecks)
  const { persist, origin, panel = false } = options
  current?.end()
  const endPersist = persist
    ? persistChanges(answerer, persist, `fixtura:${answerer.base}`)
    : () => {}
  const studio = offerStudio(answerer)
  const active = {
    end(): void {
      endPersist()
      studio.end()
    },
  }
  current = active
  const pending = createPendingRequests(answerer)
  // Not every worker can be stopped, but a stopped mock owns no path, so requests go to the network.
  const stoppable: Answerer = {
    base: answerer.base,
    handle: pending.handle,
    owns: (path, search) => current === active && answerer.owns(path, search),
  }
  const handlers = [
    ...(panel === false ? [] : createHandlers(panelFiles, { origin: location.origin })),
    ...createHandlers(stoppable, { origin }),
  ]
  try {
    if (running) (await running).worker.resetHandlers(...handlers)
    else await (running = startWorker(handlers, options))
  } catch (error) {
    active.end()
    running = undefined
    throw error
  }
  hidePanel()
  if (panel !== false && current === active) {
    const { showPanel } = await import('./panel.ts')
    hidePanel = showPanel(studio.name, panel === true ? 'Alt+M' : panel)
  }
  return {
    studio: studio.open,
    abort: pending.abort,
    async stop() {
      if (current !== active || !running) return
      const { worker, isOtherMajor } = await running
      // Another call of `startMock` may have replaced the mock meanwhile.
      if (current !== active) return
      active.end()
      hidePanel()
      current = undefined
      running = undefined
      const stopped: unknown = worker.stop()
      // A worker script of MSW 2 does not tell MSW 3 that it has stopped.
      if (!isOtherMajor) await stopped
    },
  }
}

/** The options of `startMock`: persistence, origin, and the service worker of MSW. */
export interface StartOptions {
  /**
   * Stores the changes made by requests and the logins, so that they survive a reload: in `sessionStorage` for this tab,
   * or in `localStorage` for all tabs. @default not stored
   */
  persist?: StorageKind
  /** Mocks only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
  /** The handling of requests that the mock does not own. @default 'bypass' */
  unhandled?: 'bypass' | 'warn' | 'error'
  /** Whether MSW does not log mocked requests. @default true */
  quiet?: boolean
  /**
   * Adds the studio to the page as a panel, which a button at the bottom and a key open: `true` for the key `Alt+M`, or
   * another such as `'Ctrl+Shift+F2'`. @default false
   */
  panel?: boolean | string
  /** The URL of the worker script. @default '/mockServiceWorker.js' */
  worker?: string
}

/** A started mock of a page. */
export interface Started {
  /** Stops the mock, so that requests go to the network again. */
  stop(): Promise<void>
  /** Fails the requests that wait for a response, as a lost connection does; those that write, write nothing. */
  abort(): void
  /**
   * Opens the studio for this mock in a new tab. Browsers allow this for a click or a key alone.
   * @example button.onclick = () => started.studio()
   */
  studio(): Promise<void>
}

const startChecks: Readonly<Record<keyof StartOptions, Check>> = {
  persist: isOneOf('session', 'local'),
  origin: isOrigin,
  unhandled: isOneOf('bypass', 'warn', 'error'),
  quiet: isFlag,
  panel: isEither(isFlag, isText),
  worker: isText,
}

/** The files of the studio, which the panel loads from the origin of the page. */
const panelFiles: Answerer = {
  base: '',
  owns: (path) => path.startsWith(`${controlPath}/home/`),
  handle: async ({ path }) => (await import('./panel.ts')).answerFile(path),
}

let hidePanel = (): void => undefined

/** Answers requests from a mock, and can abort those that wait. */
function createPendingRequests(
  answerer: Pick<Answerer, 'handle'>,
): Pick<Answerer, 'handle'> & { abort(): void } {
  let controller = new AbortController()
  return {
    handle(request, access) {
      const { signal } = controller
      const onAbort = (listener: () => void): (() => void) => {
        const stop = request.onAbort?.(listener)
        signal.addEventListener('abort', listener)
        return () => {
          stop?.()
          signal.removeEventListener('abort', listener)
        }
      }
      const answered = answerer.handle({ ...request, onAbort }, access)
      if (!(answered instanceof Promise)) return answered
      const dropped = { status: 0, headers: [], body: null }
      return new Promise((resolve, reject) => {
        answered.then(resolve, reject)
        signal.addEventListener('abort', () => resolve(dropped), { once: true })
      })
    },
    abort() {
      controller.abort()
      controller = new AbortController()
    },
  }
}

/** The worker of this page, shared by all calls. */
let running: Promise<Running> | undefined
/** The mock that the worker answers from. */
let current: { end(): void } | undefined

interface Running {
  worker: ReturnType<typeof setupWorker>
  /** Whether the worker script belongs to another major version of MSW. */
  isOtherMajor: boolean
}

async function startWorker(handlers: HttpHandler[], options: StartOptions): Promise<Running> {
  const { unhandled = 'bypass', quiet = true, worker: url = '/mockServiceWorker.js' } = options
  const worker = setupWorker(...handlers)
  const major = 'readyState' in worker ? 3 : 2
  const { isOtherMajor } = await checkScript(url, major)
  if (isOtherMajor) {
    console.warn(
      `"${url}" does not belong to msw ${major}, which this page uses. Please run "npx fixtura init" to update it.`,
    )
  }
  // MSW 2 and 3 have different names for the same option.
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
  return { worker, isOtherMajor }
}
