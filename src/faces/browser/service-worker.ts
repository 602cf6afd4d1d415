import { MockError } from '../../core/errors/mock-error.ts'

/**
 * Checks the script before MSW registers it, which would wait forever for another.
 * @throws MockError when the page has no service workers, or the URL has no worker script
 */
export async function checkScript(url: string, major: number): Promise<ScriptCheck> {
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
export interface ScriptCheck {
  /** Whether the script belongs to another major version of MSW than the page. */
  isOtherMajor: boolean
}

/**
 * Waits until the worker of MSW controls the page, so that the first request reaches the mock. A page that
 * opened while the worker was unregistered is never claimed, so it is reloaded once.
 * @throws MockError when the worker does not take control
 */
export async function awaitControl(url: string): Promise<void> {
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
