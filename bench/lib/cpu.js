// CPU time from `/proc`; without it, the functions know nothing and no round counts as disturbed.

import { readFileSync } from 'node:fs'

/** Ticks a second of `/proc`, the same on every Linux that Node runs on. */
const ticks = 100

/**
 * Starts to watch a process that is measured. The function it returns gives the CPU seconds of the
 * main thread since (the collector's helpers and the thread pool have their own), and how many cores
 * other programs had, those of the bench and what it waited for not counted.
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

function timesOf(path) {
  const text = readFileSync(path, 'utf8')
  // The name, in parentheses, may hold spaces: the fields are counted from behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return { self: (user + system) / ticks, children: (childUser + childSystem) / ticks }
}
