import { render } from 'preact'
import { followMock } from './live.ts'
import { reportError } from './notices.ts'
import { followHistory, go, hrefOf, place } from './router.ts'
import { Shell } from './shell.tsx'
import { findResource, state } from './state.ts'
import { followStatus } from './status.ts'
import { showTheme } from './theme.ts'
import { panel, root } from '../host.ts'
import { toListing, toQuery } from '../data/listing.ts'
import { closePrepared, prepareWindow } from '../data/use-window.ts'

// The start of the studio: follows the mock, and renders the page once the first data is there.

// The errors of an application around a panel are its own.
if (!panel)
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    reportError(event.reason)
  })
showTheme()
followHistory()
// A first frame without data would delay the frame with the data: the page waits for the data, but not long.
const timeout = new Promise((resolve) => setTimeout(resolve, 200))
let isRendered = false
const following = followMock()
// A place that names a collection needs no state of the mock to ask for the records.
const asked = prepareData()
const prepared = following.then(async () => isRendered || asked || prepareData())
await Promise.race([prepared, timeout])
render(<Shell />, root.getElementById('app') ?? document.body)
isRendered = true
followStatus()
closePrepared()

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
