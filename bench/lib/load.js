// Loads a server with a public load generator: wrk if it is installed, otherwise autocannon, which is slower
// than the floor and so limits its rate.

import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(import.meta.dirname, 'requests.lua')

/** The load generator of this machine, with its version. */
export const generator = findWrk() ?? 'autocannon'

/**
 * Sends the requests repeatedly for a number of seconds.
 * @returns the responses a second and in total, and percentiles of their times in milliseconds
 * @throws Error when a response is not 2xx or a connection fails
 */
export async function load(url, requests, seconds, { scratch, connections = 16 }) {
  const fire = generator.startsWith('wrk') ? fireWrk : fireAutocannon
  const { failures, ...measured } = await fire(url, requests, { seconds, connections, scratch })
  if (failures) throw new Error(`Failed to load "${url}": ${failures}.`)
  return measured
}

async function fireWrk(url, requests, { seconds, connections, scratch }) {
  const file = join(scratch, 'requests.txt')
  const host = new URL(url).host
  const raw = requests.map((request) => toRaw(request, host))
  writeFileSync(file, raw.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''))
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '30s',
    '-s',
    script,
    url,
    '--',
    file,
  ]
  const { stdout } = await promisify(execFile)('wrk', args)
  const failures = /Non-2xx.*|Socket errors.*/.exec(stdout)?.[0]
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const answers = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const latency = { p50: toTime(stdout, '50%'), p99: toTime(stdout, '99%') }
  return { rate, answers, latency, failures }
}

/** The milliseconds that wrk prints for a percentile. */
function toTime(text, percentile) {
  const [, value, unit] = new RegExp(`${percentile}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? []
  return value && Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit]
}

async function fireAutocannon(url, requests, { seconds, connections }) {
  const { default: autocannon } = await import('autocannon')
  let at = 0
  // All connections share one counter, because a deletion must not be sent twice. Every request has its
  // own headers, because autocannon adds the length of the body to them.
  const setupRequest = (request) => ({
    ...request,
    ...requests[at++ % requests.length],
    headers: { 'content-type': 'application/json' },
  })
  const options = { url, connections, duration: seconds, requests: [{ setupRequest }] }
  const { requests: sent, latency, duration, non2xx, errors } = await autocannon(options)
  const failures = non2xx + errors > 0 && `${non2xx} responses other than 2xx, ${errors} errors`
  return { rate: sent.total / duration, answers: sent.total, latency, failures }
}

function toRaw({ method, path, body }, host) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n`
  if (body === undefined) return `${head}\r\n`
  const length = Buffer.byteLength(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
}

function findWrk() {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'pipe' })
  } catch (error) {
    // `wrk --version` prints its version and fails.
    return /^wrk \S+/.exec(String(error.stdout ?? ''))?.[0]
  }
  return 'wrk'
}
