import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

const local = '/app/node_modules/.bin'
const cached = '/home/me/.npm/_npx/1a2b/node_modules/.bin'

describe('the commands in messages', () => {
  const rows: [path: string, init: string, server: string][] = [
    [`${local}/mock`, 'npx mock init', 'mock server'],
    [`${local}/fixtura`, 'npx fixtura init', 'fixtura server'],
    [`${cached}/fixtura`, 'npx fixtura init', 'fixtura server'],
    [`${cached}/mock`, 'npx fixtura init', 'mock server'],
    ['/usr/local/bin/mock', 'mock init', 'mock server'],
    ['/app/node_modules/fixtura/bin/mock.js', 'npx fixtura init', 'mock server'],
    ['C:\\app\\node_modules\\fixtura\\bin\\mock.js', 'npx fixtura init', 'mock server'],
  ]

  it.each(rows)('are those of a user who started %s', async (path, init, server) => {
    const run = async (...args: string[]): Promise<string> => {
      const io = { ...createFakeIo({ cwd: createFolder() }), argv: ['node', path, ...args] }
      await main(args, io)
      return io.out() + io.err()
    }
    expect(await run()).toContain(`or run \`${init}\`.`)
    expect(await run('--prot')).toContain(`"${server}" has no such option`)
    expect(await run('init')).toContain(`\nNext: ${init.replace('init', 'server')}\n`)
    expect(await run('server', '--help')).toContain(`${server} [paths..]`)
    expect(await run('--help')).toContain(`${server.replace('server', 'check')} [paths..]`)
  })

  it('stay as they are in data', async () => {
    const cwd = createFolder({ 'fixtures/posts.json': '[{"a": "a mock server" "b"}]' })
    const io = { ...createFakeIo({ cwd }), argv: ['node', `${local}/fixtura`, 'check'] }
    await main(['check'], io)
    expect(io.out()).toContain('"a mock server" "b"')
  })
})
