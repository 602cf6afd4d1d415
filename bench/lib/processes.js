// Starts servers, each in a process of its own, which ends with the bench.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'

const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Starts a program without reading its output; returns functions to control it. */
export function launch(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  running.add(child)
  const exited = once(child, 'exit').then(() => running.delete(child))
  return {
    pid: child.pid,
    child,
    /** Whether the process still runs. */
    isAlive: () => running.has(child),
    async stop() {
      if (!running.has(child)) return
      const force = setTimeout(() => child.kill('SIGKILL'), 20_000)
      child.kill('SIGTERM')
      await exited
      clearTimeout(force)
    },
  }
}

/** Resolves at the first 2xx response; repeats the request after a pause in milliseconds. */
export async function untilAnswered(url, { isAlive }, pause = 2) {
  for (;;) {
    const status = await statusOf(url)
    if (status >= 200 && status < 300) return
    if (!isAlive()) throw new Error(`Failed to start the server at "${url}": it has exited.`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Finds a free port of 127.0.0.1. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function statusOf(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    }).once('error', () => resolve(0))
  })
}
