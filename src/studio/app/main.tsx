import { render } from 'preact'
import { prepareData } from '../data/prepare-data.ts'
import { closePrepared } from '../data/use-window.ts'
import { followMock } from './live.ts'
import { reportError } from './notices.ts'
import { followHistory } from './router.ts'
import { Shell } from './shell.tsx'

// The start of the studio: follows the mock, and renders the page once the first data is there.

addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  reportError(event.reason)
})
followHistory()
// A first frame without data would delay the frame with the data: the page waits for the data, but not long.
const timeout = new Promise((resolve) => setTimeout(resolve, 200))
let isRendered = false
const prepared = followMock().then(async () => isRendered || prepareData())
await Promise.race([prepared, timeout])
render(<Shell />, document.getElementById('app') ?? document.body)
isRendered = true
closePrepared()
