import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, it } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'

const root = join(import.meta.dirname, '../..')

/** A program that only ends if all handles are closed. */
const program = `
  import { connect } from 'node:net'
  import { once } from 'node:events'
  import { loadMock, serve, watch } from 'fixtura/node'
  const [folder, poll, persist] = JSON.parse(process.argv[1])
  const mock = await loadMock({ fixtures: folder, persist })
  const watching = await watch(mock, undefined, { poll })
  const serving = await serve(mock, { port: 0 })
  const unused = connect(serving.port, '127.0.0.1')
  await once(unused, 'connect')
  const used = connect(serving.port, '127.0.0.1')
  used.write('POST /posts HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 0\\r\\n\\r\\n')
  await once(used, 'data')
  await Promise.all([serving.close(), watching.close()])
  console.log('closed')
`

const rows: [title: string, poll: boolean, persist: boolean][] = [
  ['a watch', false, false],
  ['a watch that polls', true, false],
  ['files that are written', false, true],
]

it.each(rows)('close() leaves no handle open with %s', async (_title, poll, persist) => {
  const folder = createFolder({ 'posts.json': [{ id: 1 }] })
  const args = ['--input-type=module', '--eval', program, JSON.stringify([folder, poll, persist])]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toBe('closed\n')
})
