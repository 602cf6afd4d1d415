import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'

/** A request over HTTP, with full control of its headers. */
export interface WireRequest {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The certificate to trust; makes the request use TLS. */
  ca?: string | Buffer
}

/** A response with its header lines as received. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  lines: [name: string, value: string][]
  body: Buffer
  text: string
}

/** Sends one request on a new connection, with the given headers only. */
export function send(port: number, request: WireRequest = {}): Promise<WireAnswer> {
  const { method = 'GET', path = '/', headers = {}, body, ca } = request
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { port, host: '127.0.0.1', method, path, agent: false as const }
  const start = ca === undefined ? httpRequest : httpsRequest
  return new Promise((resolve, reject) => {
    const all = { ...options, headers: { ...length, ...headers }, ca }
    const sent = start(all, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const { rawHeaders: raw, statusCode: status = 0 } = response
        const lines = raw.flatMap((name, at): [string, string][] =>
          at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : [],
        )
        const bytes = Buffer.concat(chunks)
        const named = Object.fromEntries(lines)
        resolve({ status, headers: named, lines, body: bytes, text: bytes.toString() })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Writes bytes to a new connection and reads until the server closes it. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}
