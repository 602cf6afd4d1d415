// The baseline for memory and start: `node parsed-file.js PATH --port N` only holds the parsed file or files.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, parse } from 'node:path'

const [path, , port] = process.argv.slice(2)
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const data = statSync(path).isDirectory()
  ? Object.fromEntries(readdirSync(path).map((name) => [parse(name).name, read(join(path, name))]))
  : read(path)

createServer((_request, response) => {
  response.end(JSON.stringify(data.posts[0]))
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
