import { render } from 'preact'
import { followMock } from './live.ts'
import { reportError } from './notices.ts'
import { followHistory } from './router.ts'
import { Shell } from './shell.tsx'

addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  reportError(event.reason)
})
followHistory()
render(<Shell />, document.getElementById('app') ?? document.body)
void followMock()
