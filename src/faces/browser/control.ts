import { MockError } from '../../core/errors/mock-error.ts'

/**
 * Waits until the page is in the worker's hands. A worker that was just being given up comes back
 * without the pages that opened meanwhile: such a page is loaded again, and waits until it is gone.
 * @throws MockError when the worker will not get the page's requests
 */
export async function awaitControl(url: string): Promise<void> {
  const { serviceWorker } = navigator
  if (serviceWorker.controller) return
  await new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, patience)
  })
  if (serviceWorker.controller) return
  if (!(await serviceWorker.getRegistration())) {
    throw failure(
      `"${url}" may only answer pages of its own folder. Please serve it from this page's folder, or from one above.`,
    )
  }
  // Once is enough: what it does not mend would be loaded for ever.
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation && 'type' in navigation && navigation.type === 'reload') {
    throw failure('the page is not in the hands of its worker. Please open it in a new tab.')
  }
  location.reload()
  await new Promise(() => {})
}

/** How long a worker may take to claim the page, in ms. */
const patience = 1000

function failure(reason: string): MockError {
  return new MockError(`Failed to start the mock: ${reason}`, { code: 'WORKER_FAILED' })
}
