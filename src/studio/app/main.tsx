import { render } from 'preact'
import { root } from '../host.ts'
import { closePrepared } from '../data/use-window.ts'
import { Shell } from './shell.tsx'
import { prepared } from './start.ts'
import { followStatus } from './status.ts'

// A first frame without data would delay the frame with the data: the page waits for the data, but not long.
const timeout = new Promise((resolve) => setTimeout(resolve, 200))
await Promise.race([prepared, timeout])
render(<Shell />, root.getElementById('app') ?? document.body)
followStatus()
// Records that arrive too late for the first frame are not shown later.
void prepared.then(closePrepared)
