import { render } from 'preact'
import { prepareData } from '../data/prepare-data.ts'
import { closePrepared } from '../data/use-window.ts'
import { followMock } from './live.ts'
import { reportError } from './notices.ts'
import { followHistory } from './router.ts'
import { Shell } from './shell.tsx'

addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  reportError(event.reason)
})
followHistory()
// A frame without data would delay the first frame with data.
const patience = new Promise((resolve) => setTimeout(resolve, 200))
let isRendered = false
const prepared = followMock().then(async () => isRendered || prepareData())
await Promise.race([prepared, patience])
render(<Shell />, document.getElementById('app') ?? document.body)
isRendered = true
closePrepared()
