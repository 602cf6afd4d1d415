import { MockError } from '../../core/errors/mock-error.ts'

/**
 * Waits until the service worker of MSW controls the page, so that the first request of the page already
 * reaches the mock. A worker that is registered again while it is being unregistered does not claim pages
 * that opened in between. Such a page is reloaded once.
 * @throws MockError when the worker does not take control of the page
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
    )
  }
  // A page that was reloaded already fails, because it would reload forever.
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation && 'type' in navigation && navigation.type === 'reload') {
    throw failure('the service worker does not control this page. Please open it in a new tab.')
  }
  location.reload()
  // Never resolves: the reload ends the page.
  await new Promise(() => {})
}

/** The time for a worker to claim the page, in milliseconds. */
const claimTimeout = 1000

function failure(reason: string): MockError {
  return new MockError(`Failed to start the mock: ${reason}`, { code: 'WORKER_FAILED' })
}
