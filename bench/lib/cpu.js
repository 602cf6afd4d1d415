// Measures the CPU time of processes from `/proc`, to recognize rounds that other programs disturbed. Without
// `/proc` there are no CPU times, and no round counts as disturbed.

import { readFileSync } from 'node:fs'

/** The ticks a second in `/proc`, the same on every Linux that Node supports. */
const ticks = 100

/**
 * Starts to measure a process. The returned function gives the CPU seconds of its main thread since then
 * (without the threads of the garbage collector and the thread pool), and the number of cores that other
 * programs used, without the bench and its child processes.
 */
export function watchCpu(pid) {
  const start = performance.now()
  const before = read(pid)
  return () => {
    const seconds = (performance.now() - start) / 1000
    const after = read(pid)
    if (!before || !after) return { cpu: NaN, foreign: 0 }
    const foreign = after.machine - before.machine - (after.own - before.own)
    return { cpu: after.thread - before.thread, foreign: Math.max(0, foreign / seconds) }
  }
}

function read(pid) {
  try {
    const [, user, nice, system, , , irq, softIrq, steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .split(/\s+/)
      .map(Number)
    const pids = new Set([pid, process.pid])
    const own = [...pids].map((one) => timesOf(`/proc/${one}/stat`))
    const thread = timesOf(`/proc/${pid}/task/${pid}/stat`)
    return {
      machine: (user + nice + system + irq + softIrq + steal) / ticks,
      own: own.reduce((sum, { self, children }) => sum + self + children, 0),
      thread: thread.self,
    }
  } catch {
    return undefined
  }
}

/** Returns the CPU seconds of a process until now, in all its threads. */
export function cpuOf(pid) {
  return timesOf(`/proc/${pid}/stat`).self
}

function timesOf(path) {
  const text = readFileSync(path, 'utf8')
  // The name in parentheses can contain spaces, so the fields are counted from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return { self: (user + system) / ticks, children: (childUser + childSystem) / ticks }
}
