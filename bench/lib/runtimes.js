import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Finds Bun, on which the bench runs Fixtura too: installs it from the npm registry into the temporary folder
 * unless it is there.
 */
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
