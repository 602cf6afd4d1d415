import { Agent, request } from 'node:http'

/**
 * Sends a request and reads the response. The value is undefined if the body is not JSON. Repeats the
 * request if the server has just closed an idle connection (`request.reusedSocket` of `node:http`).
 * @throws Error when the response takes longer than the timeout in milliseconds
 */
export function ask(url, asked, timeout = 30_000) {
  const { method, path, body } = asked
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
    outgoing.once('error', (error) => {
      const wasIdle = outgoing.reusedSocket && error.code === 'ECONNRESET'
      if (wasIdle) resolve(ask(url, asked, timeout))
      else reject(error)
    })
    outgoing.once('response', (answer) => {
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

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
