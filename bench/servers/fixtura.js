// `node fixtura.js FILE --port N` serves a database file through the built package.

import { readFileSync } from 'node:fs'

import { createMock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'

const [file, , port, ...rest] = process.argv.slice(2)
if (rest.length > 0) throw new Error(`Failed to serve: ${rest.join(' ')} needs the command line.`)
const mock = createMock({ fixtures: JSON.parse(readFileSync(file, 'utf8')) })
const { close } = await serve(mock, { port: Number(port), host: '127.0.0.1' })
process.once('SIGTERM', () => void close().then(() => process.exit()))
