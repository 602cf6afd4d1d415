import { followMock } from './live.ts'
import { reportError } from './notices.ts'
import { followHistory, go, hrefOf, place } from './router.ts'
import { findResource, state } from './state.ts'
import { showTheme } from './theme.ts'
import { panel } from '../host.ts'
import { toListing, toQuery } from '../data/listing.ts'
import { prepareWindow } from '../data/use-window.ts'

// The start of the studio: follows the mock, and asks for the first data while the browser compiles the views.

// The errors of an application around a panel are its own.
if (!panel)
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    reportError(event.reason)
  })
showTheme()
followHistory()
const following = followMock()
// A place that names a collection needs no state of the mock to ask for the records.
const asked = prepareData()

/** Resolves once the first data is there. */
export const prepared: Promise<void> = following.then(async () => asked ?? prepareData())

/**
 * Fetches the records that the current place shows before the page is rendered, so that the first frame has
 * the records.
 */
function prepareData(): Promise<void> | undefined {
  const [first] = state.value?.resources ?? []
  if (first && place.value.view === 'data' && place.value.name === '')
    go(hrefOf('data', first.name), true)
  const { view, name, params } = place.value
  if (view !== 'data' || name === '' || (findResource(name)?.kind ?? 'collection') !== 'collection')
    return undefined
  return prepareWindow(name, toQuery(toListing(params), []))
}
