import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Sends one request and reads the whole answer; the value is undefined where the body is no JSON.
 * @throws Error when the answer takes longer than the milliseconds
 */
export function ask(url, { method, path, body }, timeout = 30_000) {
  return new Promise((resolve, reject) => {
    const headers = body
      ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      : {}
    const outgoing = request(new URL(path, url), {
      method,
      headers,
      agent,
      signal: AbortSignal.timeout(timeout),
    })
    outgoing.once('error', reject).once('response', (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk)).once('error', reject)
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: answer.statusCode, headers: answer.headers, value: parse(text) })
      })
    })
    outgoing.end(body)
  })
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
