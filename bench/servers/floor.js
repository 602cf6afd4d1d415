// The floor, the fastest server that Node allows: `node floor.js URL REQUESTS --port N` sends each request to
// the URL once, and answers every request with the status, headers and bytes of the next of the responses,
// from constant Buffers.

import { once } from 'node:events'
import { createServer, request } from 'node:http'

const [url, asked, , port] = process.argv.slice(2)
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

const answers = []
for (const one of JSON.parse(asked)) answers.push(await copy(one))
let at = 0

createServer((_request, response) => {
  const { status, headers, bytes } = answers[at++ % answers.length]
  response.writeHead(status, headers).end(bytes)
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())

async function copy({ method, path, body }) {
  const headers = { 'Content-Type': 'application/json' }
  const outgoing = request(new URL(path, url), { method, headers })
  outgoing.end(body)
  const [answer] = await once(outgoing, 'response')
  return {
    status: answer.statusCode,
    headers: answer.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 && !ownHeaders.has(name.toLowerCase()) ? [name, all[index + 1]] : [],
    ),
    bytes: Buffer.concat(await answer.toArray()),
  }
}
