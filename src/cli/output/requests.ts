import type { LogEntry } from '../../core/log/log.ts'
import { describeRequest } from './log-line.ts'
import type { Terminal } from './terminal.ts'

/** Prints what happened to each request; what was answered in one go is written in one go. */
export function printRequests(terminal: Terminal): (entry: LogEntry) => void {
  let lines: string[] = []
  function print(): void {
    terminal.say(lines.join('\n'))
    lines = []
  }
  return (entry) => {
    if (lines.length === 0) setImmediate(print)
    lines.push(describeRequest(entry, terminal.paint, terminal.columns))
  }
}
