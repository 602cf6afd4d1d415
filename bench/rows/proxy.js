// A row for `mock record` in front of a back end, compared with the back end alone: throughput and added
// latency.

import { Agent, request } from 'node:http'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

import { freePort, launch, untilAnswered } from '../lib/processes.js'
import { startFloor, startProgram } from '../lib/programs.js'
import { median } from '../lib/statistics.js'
import { measureThroughput } from '../lib/throughput.js'
import { hotList, slices } from '../lib/traffic.js'

const program = join(import.meta.dirname, '../../bin/mock.js')

/** The number of requests, one after the other, whose median is the latency. */
const asked = 500

/** Creates the row: the back end is the floor, which repeats a page of 20 records. */
export function proxyRow({ count }) {
  return async (bench) => {
    const sides = []
    try {
      const source = await startProgram('fixtura', bench.database(count), bench)
      sides.push(source)
      const toRequests = () => hotList(count, 0)
      const [first] = hotList(count, slices.warm)
      const floor = await startFloor(source, [first])
      sides.push(floor)
      const proxy = await startProxy(floor, bench)
      sides.push(proxy)
      const measured = await measureThroughput(proxy, [floor], toRequests, bench)
      const { method, path } = floor.toHttp(first)
      const latencies = []
      for (const { url } of [floor, proxy, floor, proxy])
        latencies.push(await measureLatency(url, method, path))
      const [alone, through] = [0, 1].map((at) => (latencies[at] + latencies[at + 2]) / 2)
      const added = `${(through - alone).toFixed(2)} ms added to ${alone.toFixed(2)} ms`
      return { unit: '/s', ...measured, notes: [...measured.notes, added] }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
}

/** Starts `mock record` in front of a side; `cwd` is its working directory. */
export async function startProxy({ url: target, toHttp }, { scratch, profileFlags }) {
  const port = await freePort()
  const cwd = mkdtempSync(join(scratch, 'record-'))
  const args = ['record', target, '--port', String(port), '--host', '127.0.0.1', '--quiet']
  const server = launch(process.execPath, [...profileFlags, program, ...args], { cwd })
  const url = `http://127.0.0.1:${port}`
  await untilAnswered(`${url}/posts/1`, server)
  return { ...server, name: 'fixtura', url, toHttp, cwd }
}

/** The median time of a response on an open connection, in milliseconds. */
async function measureLatency(url, method, path) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = []
  for (let count = 0; count < asked; count++) {
    const start = performance.now()
    await new Promise((resolve, reject) => {
      request(new URL(path, url), { method, agent }, (response) => {
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
    times.push(performance.now() - start)
  }
  agent.destroy()
  return median(times)
}
