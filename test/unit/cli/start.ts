import { onTestFinished } from 'vitest'

import { main } from '../../../src/cli/main.ts'
import { createFolder, type Files } from '../loader/folder.ts'
import { createFakeIo, type FakeIo, type FakeOptions } from './fake-io.ts'

/** A running `mock server`. */
export interface Started {
  io: FakeIo
  cwd: string
  code: Promise<number>
  url: string
}

/** The code of a middleware that adds its name to a header. */
export function add(name: string): string {
  return `(request, response, next) => { response.append('X-Order', '${name}'); next() }`
}

/** Starts `mock server` on a free port, and waits for its banner. */
export async function start(files: Files, line = '', options: FakeOptions = {}): Promise<Started> {
  const cwd = createFolder(files)
  const io = createFakeIo({ cwd, ...options })
  const isChosen = options.env?.['PORT'] !== undefined
  const args = [...line.split(' ').filter(Boolean), ...(isChosen ? [] : ['--port', '0'])]
  const code = main(args, io)
  onTestFinished(async () => {
    io.send('SIGTERM')
    await code
  })
  await io.printed(/ {2}http\S+\n\n[^]*\n\n/)
  const url = /http\S+/.exec(io.out())?.[0] ?? ''
  return { io, cwd, code, url }
}
