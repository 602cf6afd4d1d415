import { Agent, request as send } from 'node:http'

/** One request as it goes onto the wire: the path is sent as it stands. */
export interface PeerRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** One answer as it came from the wire. */
export interface PeerResponse {
  status: number
  headers: Record<string, string>
  text: string
}

/** Sends one request and reads the whole answer. Connections stay open between requests. */
export type Exchange = (request: PeerRequest) => Promise<PeerResponse>

/** Opens a client for one server, with one connection that is kept alive. */
export function openClient(url: string): { exchange: Exchange; close: () => void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const exchange: Exchange = ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const request = send(
        { agent, hostname, port, method, path, headers: { ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: flatten(response.headers),
              text: Buffer.concat(chunks).toString(),
            })
          })
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  return { exchange, close: () => agent.destroy() }
}

/** The request as a command for a terminal. */
export function toCurl(url: string, { method, path, headers = {}, body }: PeerRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = ['curl', '-i', '--globoff', '--path-as-is', '-X', method]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (body !== undefined) parts.push('--data-binary', quote(body))
  return [...parts, quote(`${url}${path}`)].join(' ')
}

function flatten(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
}
