import type { HttpHandler, WebSocketHandler } from 'msw'
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
    ...createHandlers(stoppable, { origin }, answerer.routes),
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

async function startWorker(
  handlers: (HttpHandler | WebSocketHandler)[],
  options: StartOptions,
): Promise<Running> {
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

/**
 * Checks the script before MSW registers it, which would wait forever for another.
 * @throws MockError when the page has no service workers, or the URL has no worker script
 */
async function checkScript(url: string, major: number): Promise<ScriptCheck> {
  if (!('serviceWorker' in navigator)) {
    throw failure(
      'service workers are not available on this page. Please open it over https or on localhost.',
    )
  }
  const response = await fetch(url, { cache: 'no-cache' }).catch(() => undefined)
  // A content security policy may forbid the fetch and still allow the worker.
  if (!response) return { isOtherMajor: false }
  if (!response.ok) {
    throw failure(`there is no worker script at "${url}" (${response.status}). ${advice}`)
  }
  if (response.headers.get('content-type')?.includes('html')) {
    throw failure(`"${url}" is an HTML page, not a worker script. ${advice}`)
  }
  const version = /PACKAGE_VERSION = '(\d+)\.[^']*'/.exec(await response.text())
  if (!version) throw failure(`"${url}" is not a worker script of msw 2 or 3. ${advice}`)
  return { isOtherMajor: Number(version[1]) !== major }
}

/** The result of {@link checkScript}. */
interface ScriptCheck {
  /** Whether the script belongs to another major version of MSW than the page. */
  isOtherMajor: boolean
}

/**
 * Waits until the worker of MSW controls the page, so that the first request reaches the mock. A page that
 * opened while the worker was unregistered is never claimed, so it is reloaded once.
 * @throws MockError when the worker does not take control
 */
async function awaitControl(url: string): Promise<void> {
  const { serviceWorker } = navigator
  if (serviceWorker.controller) return
  await new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, claimTimeout)
  })
  if (serviceWorker.controller) return
  if (!(await serviceWorker.getRegistration())) {
    throw failure(
      `"${url}" can only control pages in its own folder. Please serve it from this page's folder or a folder above.`,
      'WORKER_FAILED',
    )
  }
  // A page that was reloaded already fails, because it would reload forever.
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation && 'type' in navigation && navigation.type === 'reload') {
    throw failure(
      'the service worker does not control this page. Please open it in a new tab.',
      'WORKER_FAILED',
    )
  }
  location.reload()
  // Never resolves: the reload ends the page.
  await new Promise(() => {})
}

/** The time for a worker to claim the page, in milliseconds. */
const claimTimeout = 1000

function failure(reason: string, code = 'WORKER_MISSING'): MockError {
  return new MockError(`Failed to start the mock: ${reason}`, { code })
}

const advice =
  'Please run "npx fixtura init", which writes it to the public folder, or set the option "worker" to its URL.'
