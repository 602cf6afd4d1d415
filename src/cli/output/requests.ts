import type { LogEntry } from '../../core/log/log.ts'
import { describeRequest } from './log-line.ts'
import type { Terminal } from './terminal.ts'

/**
 * Creates a listener of the request log that prints a line for each request. Requests of one turn of the
 * event loop share one write.
 */
export function printRequests(terminal: Terminal): (entry: LogEntry) => void {
  let lines: string[] = []
  function flush(): void {
    terminal.print(lines.join('\n'))
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(describeRequest(entry, terminal.paint, terminal.columns))
  }
}
