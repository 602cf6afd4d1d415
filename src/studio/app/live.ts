import { type Signal, signal } from '@preact/signals'
import { ask, request } from '../control.ts'
import { problem, refresh } from './state.ts'

/** An entry of the request log. */
export interface Entry {
  /** When the request arrived, in milliseconds since 1970. */
  time: number
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /** The status of the response; 0 for a dropped connection. */
  status: number
  ms: number
  bytes: number
  reason: string
}

/** The requests of the log, oldest first. */
export const entries: Signal<readonly Entry[]> = signal([])

/** The most requests that the page shows. */
const most = 1000

let isWaiting = false

/** Refreshes the page after a change; changes within 100 ms share a refresh. */
function noteChange(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    void refresh()
  }, 100)
}

/** Follows the log and the changes of the mock. Connects again when the connection is lost. */
export async function followMock(): Promise<void> {
  for (let wait = 0; ; wait = Math.min(wait + 500, 3000)) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      const response = await request('log', { headers: { Accept: 'text/event-stream' } })
      // The stream does not send earlier requests.
      void catchUp()
      wait = 0
      await readEvents(response)
      problem.value = 'The connection to the mock is lost. The page shows the last known data.'
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }
}

let early: Entry[] | undefined

/** Fetches the log and the state. Requests that arrive meanwhile may be in both. */
async function catchUp(): Promise<void> {
  const arrived: Entry[] = (early = [])
  void refresh()
  const logged = await ask<Entry[]>('log').catch((): Entry[] => [])
  if (early !== arrived) return
  early = undefined
  const known = new Set(logged.map(keyOf))
  entries.value = [...logged, ...arrived.filter((entry) => !known.has(keyOf(entry)))]
}

/** Identifies an entry: two requests of a millisecond seldom have equal durations. */
export function keyOf({ time, method, url, ms }: Entry): string {
  return [time, ms, method, url].join(' ')
}

/** Reads server-sent events until the stream ends. `EventSource` cannot send the header of a session. */
async function readEvents({ body }: Response): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    events.forEach(takeEvent)
  }
}

function takeEvent(event: string): void {
  if (/^event: change$/m.test(event)) return noteChange()
  const data = /^data: (.*)$/m.exec(event)?.[1]
  if (data === undefined) return
  const entry = JSON.parse(data) as Entry
  if (early) early.push(entry)
  else entries.value = [...entries.value.slice(1 - most), entry]
  // A rule or fault that has applied may be used up.
  if (entry.reason !== '') noteChange()
}

/** Empties the log. */
export async function clearLog(): Promise<void> {
  await request('log', { method: 'DELETE' })
  entries.value = []
}
