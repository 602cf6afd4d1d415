// Starts the sides that are compared: Fixtura, its peers and the baselines. Each side serves a file on a port
// and has a wire format.

import { cpSync, mkdtempSync } from 'node:fs'
import { extname, join } from 'node:path'

import { findNode24 } from './node-24.js'
import { freePort, launch, untilAnswered } from './processes.js'
import { findBun, findDeno } from './runtimes.js'
import { ask } from './send.js'
import { wires } from './wire-formats.js'

const folder = import.meta.dirname
const modules = join(folder, '../../node_modules')
const script = (name) => join(folder, '../servers', name)

const fixtura = {
  wire: wires.rest,
  path: join(folder, '../../bin/mock.js'),
  args: ['--host', '127.0.0.1', '--quiet'],
}

/** The programs by name: wire format, script, further arguments, and the runtime with its flags. */
const programs = {
  fixtura,
  'json-server-0': {
    wire: wires.jsonServer0,
    path: join(modules, 'json-server/lib/cli/bin.js'),
    args: ['--host', '127.0.0.1', '--quiet'],
  },
  'json-server-1': {
    wire: wires.jsonServer1,
    path: join(modules, 'json-server-v1/lib/bin.js'),
    findNode: findNode24,
  },
  sqlite: { wire: wires.sqlite, path: script('sqlite.js') },
  'sqlite-uncounted': { wire: wires.sqlite, path: script('sqlite.js') },
  'better-sqlite3': { wire: wires.sqlite, path: script('sqlite.js') },
  holder: { wire: wires.rest, path: script('parsed-file.js') },
  'fixtura-bun': { ...fixtura, findNode: findBun },
  'fixtura-deno': { ...fixtura, findNode: findDeno, runFlags: ['run', '-A', '--quiet'] },
  'fixtura-worker': { wire: wires.rest, path: script('worker.js') },
}

/**
 * Starts a program with a copy of the file or folder; resolves when the program answers. `node` overrides the
 * program's own version of Node, `flags` are its flags; "before" is the build in the folder `against`.
 */
export async function startProgram(name, file, { scratch, node, against, flags = [], extra = [] }) {
  const program =
    name === 'before' ? { ...fixtura, path: join(against, 'bin/mock.js') } : programs[name]
  const { wire, path, args = [], findNode = () => process.execPath, runFlags = [] } = program
  const copy = join(mkdtempSync(join(scratch, `${name}-`)), `db${extname(file)}`)
  cpSync(file, copy, { recursive: true })
  const port = await freePort()
  const begun = performance.now()
  const server = launch(
    node ?? (await findNode()),
    [...runFlags, ...flags, path, copy, '--port', String(port), ...args, ...extra],
    { cwd: join(copy, '..') },
  )
  const url = `http://127.0.0.1:${port}`
  const { simplify = (request) => request } = wire
  const toHttp = (request) => wire.toHttp(simplify(request))
  await untilAnswered(`${url}/posts/1`, server)
  return {
    ...server,
    name,
    /** The time from spawn to the first response, in milliseconds. */
    startTime: performance.now() - begun,
    url,
    file: copy,
    simplify,
    toHttp,
    async send(request) {
      const { status, value } = await ask(url, toHttp(request))
      return { status, value: status < 300 ? wire.fromHttp(request, value) : value }
    },
  }
}

/** Starts the floor: a server that repeats the responses of a side to some requests. */
export async function startFloor(side, requests) {
  const port = await freePort()
  const asked = JSON.stringify(requests.map(side.toHttp))
  const args = [script('floor.js'), side.url, asked, '--port', String(port)]
  const server = launch(process.execPath, args)
  const url = `http://127.0.0.1:${port}`
  await untilAnswered(url, server)
  return { ...server, name: 'floor', url, toHttp: side.toHttp }
}
