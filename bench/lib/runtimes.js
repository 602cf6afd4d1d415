import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Finds Bun from the npm registry, which is cached in the temporary folder. */
export const findBun = async () => find('bun', 'bun@1')

/** Finds Deno in the same way. */
export const findDeno = async () => find('deno', 'deno@2')

function find(name, wanted) {
  const folder = join(tmpdir(), `fixtura-bench-${name}`)
  const path = join(folder, 'node_modules/.bin', name)
  if (!existsSync(path)) {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, wanted]
    execFileSync('npm', args, { stdio: 'ignore' })
  }
  return path
}
