import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let found

/**
 * Finds a version of Node that json-server 1 supports: the running version, or Node 24 from the npm registry,
 * which is cached in the temporary folder.
 * @throws Error when the installation fails
 */
export async function findNode24() {
  const [major] = process.versions.node.split('.').map(Number)
  found ??= major >= 24 ? process.execPath : install()
  return found
}

function install() {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(tmpdir(), 'fixtura-bench-node-24')
  const path = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(path)) {
    const args = [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `${name}@24`,
    ]
    execFileSync('npm', args, { stdio: 'ignore' })
  }
  return path
}
