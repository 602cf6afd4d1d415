import type { LogEntry } from '../../core/log/log.ts'
import type { Paint, Terminal } from './terminal.ts'
import { toPrintable, toReadable } from './printable.ts'

/** Returns a listener that prints a line for each request; those of one turn of the event loop share a write. */
export function printRequests(terminal: Terminal): (entry: LogEntry) => void {
  const describeRequest = createLogLines(terminal)
  let lines: string[] = []
  function flush(): void {
    terminal.print(lines.join('\n'))
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(describeRequest(entry) + terminal.help(entry.reason, terminal.io.stdout))
  }
}

/** Creates a function that returns the line of a request; the column of the paths grows with the longest so far. */
export function createLogLines(
  terminal: Pick<Terminal, 'paint' | 'columns'>,
): (entry: LogEntry) => string {
  let pathWidth = MIN_PATH
  return (entry) => {
    const { paint, columns } = terminal
    const { method, url, status, ms, bytes, reason } = entry
    const path = toPrintable(toReadable(url))
    const widest = Math.max(0, Math.min(MAX_PATH, columns - OTHER_COLUMNS))
    pathWidth = Math.min(widest, Math.max(pathWidth, path.length))
    const start = `${toPrintable(method).padEnd(6)} ${path.padEnd(pathWidth)}`
    const code = formatStatus(status)
    // The text "dropped" is longer than a status, and takes the space in front of the time.
    const took = `${formatTime(ms).padStart(10 - code.length)} ${formatSize(bytes).padStart(6)}`
    const line = `${start} ${colourOf(status, paint)(code)} ${paint.dim(took)}`
    if (reason === '') return line
    const note = toPrintable(shorten(toReadable(reason)))
    const width = `${start} ${code} ${took}  ${note}`.length
    // On a narrow terminal the reason gets a line of its own instead of wrapping.
    return width > columns ? `${line}\n       ${paint.dim(note)}` : `${line}  ${paint.dim(note)}`
  }
}

/** The width of the column of paths at first, and the width to which longer paths widen it. */
const MIN_PATH = 24
const MAX_PATH = 48

/** The width of the other columns: method, status, time and size, with the spaces between them. */
const OTHER_COLUMNS = 26

/** The most characters of a reason: an error can list all resources. */
const MAX_REASON = 500

function shorten(reason: string): string {
  if (reason.length <= MAX_REASON) return reason
  // The cut can halve a surrogate pair.
  return `${reason.slice(0, MAX_REASON).replace(/\p{Cs}$/u, '')}…`
}

/** A size with a fitting unit: `24 B`, `1.2 kB`. */
function formatSize(bytes: number): string {
  if (bytes >= 1_000_000) return `${toShort(bytes / 1_000_000)} MB`
  if (bytes >= 1000) return `${toShort(bytes / 1000)} kB`
  return `${bytes} B`
}

/** Writes a number below 10 with one decimal, and any other without. */
function toShort(number: number): string {
  return number < 10 ? number.toFixed(1) : String(Math.round(number))
}

function formatTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Status 0 is a dropped connection. */
function formatStatus(status: number): string {
  return status === 0 ? 'dropped' : String(status)
}

function colourOf(status: number, { red, yellow, green, cyan }: Paint): (text: string) => string {
  if (status === 0 || status >= 500) return red
  if (status >= 400) return yellow
  return status >= 300 ? cyan : green
}
