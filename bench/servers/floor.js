// The floor: `node floor.js URL REQUEST --port N` sends the request to the URL once, and answers every
// request with the same status, headers and bytes from a constant Buffer.

import { once } from 'node:events'
import { createServer, request } from 'node:http'

const [url, asked, , port] = process.argv.slice(2)
const { method, path, body } = JSON.parse(asked)
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

const outgoing = request(new URL(path, url), {
  method,
  headers: { 'Content-Type': 'application/json' },
})
outgoing.end(body)
const [answer] = await once(outgoing, 'response')
const bytes = Buffer.concat(await answer.toArray())
const headers = answer.rawHeaders.flatMap((name, at, all) =>
  at % 2 === 0 && !ownHeaders.has(name.toLowerCase()) ? [name, all[at + 1]] : [],
)

createServer((_request, response) => {
  response.writeHead(answer.statusCode, headers).end(bytes)
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
