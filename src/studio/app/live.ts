import { effect, type Signal, signal } from '@preact/signals'
import type { LogEntry } from '../../core/log/log.ts'
import { ask, request } from '../control.ts'
import { problem, refresh, state, toProblem } from './state.ts'

/**
 * Shows the requests and the changes of the mock as they happen, from a stream of server-sent events, and
 * connects again when the connection is lost. Resolves once the first state is shown. The page asks for the
 * stream before the state, so that the stream reports each change after the state; if the state arrives first,
 * the page asks for the state again.
 */
export async function followMock(): Promise<void> {
  const opening = openStream()
  const first = refresh()
  void follow(opening)
  return first
}

/** The requests of the log, oldest first. */
export const entries: Signal<readonly LogEntry[]> = signal([])

/** The largest number of requests that the page shows. */
const maxEntries = 1000

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

// A reset empties the log.
effect(() => {
  const { requests = Infinity } = state.value ?? {}
  if (requests < entries.peek().length) void reloadLog()
})

async function follow(first: Promise<Response>): Promise<void> {
  for (let opening = first, wait = 0; ; opening = openStream()) {
    try {
      const response = await opening
      if (opening !== first || state.value) void refresh()
      void reloadLog()
      wait = 0
      await readEvents(response)
      problem.value = 'The connection to the mock is lost. The page shows the last known data.'
    } catch (error) {
      problem.value = toProblem(error)
    }
    wait = Math.min(wait + 500, 3000)
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

async function openStream(): Promise<Response> {
  return request('log', { headers: { Accept: 'text/event-stream' } })
}

let isLogShown = false

/** The requests since the stream began, which does not send earlier ones; undefined once the log is fetched. */
let arrived: LogEntry[] | undefined = []

/** Fetches the log when a view needs it for the first time; the stream adds later requests. */
export function showLog(): void {
  if (isLogShown) return
  isLogShown = true
  void fetchLog()
}

async function reloadLog(): Promise<void> {
  arrived = []
  if (isLogShown) await fetchLog()
}

/** Fetches the log; without a response, the known entries stay. Requests that arrive meanwhile may be in both. */
async function fetchLog(): Promise<void> {
  const later = arrived
  const logged = await ask<LogEntry[]>('log').catch(() => entries.peek())
  if (!later || later !== arrived) return
  arrived = undefined
  const known = new Set(logged.map(keyOf))
  entries.value = [...logged, ...later.filter((entry) => !known.has(keyOf(entry)))]
}

/** Identifies an entry: two requests of a millisecond seldom have equal durations. */
export function keyOf({ time, method, url, ms }: LogEntry): string {
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
  const entry = JSON.parse(data) as LogEntry
  if (arrived) {
    arrived.push(entry)
    if (arrived.length > maxEntries) arrived.shift()
  } else entries.value = [...entries.value.slice(1 - maxEntries), entry]
  // A rule or fault that has applied may be used up.
  if (entry.reason !== '') noteChange()
}

/** Empties the log, and shows the requests that have arrived since. */
export async function clearLog(): Promise<void> {
  await request('log', { method: 'DELETE' })
  await reloadLog()
}
