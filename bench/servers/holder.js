// The baseline for memory and start: `node holder.js FILE --port N` only holds the parsed file.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file, , port] = process.argv.slice(2)
const data = JSON.parse(readFileSync(file, 'utf8'))

createServer((_request, response) => {
  response.end(JSON.stringify(data.posts[0]))
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
