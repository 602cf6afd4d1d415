import { MockError } from '../../core/errors/mock-error.ts'

/** What was found out about a worker's script. */
export interface ScriptCheck {
  /** Whether it comes from another major version of msw than the page. */
  isOther: boolean
}

/**
 * Looks at the script before a worker is made of it, as msw waits for ever for one that is not its own.
 * @throws MockError when there is no worker script at the URL
 */
export async function checkScript(url: string, major: number): Promise<ScriptCheck> {
  if (!('serviceWorker' in navigator)) {
    throw failure(
      'this page may have no service worker. Please open it over https or at localhost.',
    )
  }
  const response = await fetch(url, { cache: 'no-cache' }).catch(() => undefined)
  // What cannot be looked at may still be registered: the page's policy may forbid the one only.
  if (!response) return { isOther: false }
  if (!response.ok) {
    throw failure(`there is no worker script at "${url}" (${response.status}). ${advice}`)
  }
  if (response.headers.get('content-type')?.includes('html')) {
    throw failure(`"${url}" is a page and no worker script, which is missing. ${advice}`)
  }
  const version = /PACKAGE_VERSION = '(\d+)\.[^']*'/.exec(await response.text())
  if (!version) throw failure(`"${url}" is no worker script of msw 2 or 3. ${advice}`)
  return { isOther: Number(version[1]) !== major }
}

const advice =
  'Please run "npx mock init", which writes it into the public folder, or give its URL as "worker".'

function failure(reason: string): MockError {
  return new MockError(`Failed to start the mock: ${reason}`, { code: 'WORKER_MISSING' })
}
