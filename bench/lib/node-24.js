import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

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

/** Returns the path of better-sqlite3 for Node 24, cached in the same folder; undefined where it does not install. */
export async function findBetterSqlite3() {
  const node = await findNode24()
  const path = join(modules, 'better-sqlite3')
  // npm and node-gyp run on the `node` of the path, and compile against its headers.
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: dirname(dirname(node)),
  }
  try {
    if (!existsSync(path)) installPackage('better-sqlite3@12', env)
    execFileSync(node, ['-e', `new (require(${JSON.stringify(path)}))(':memory:')`], {
      stdio: 'ignore',
    })
    return path
  } catch {
    return undefined
  }
}

/**
 * Returns the path of @supabase/lite (147 MB), cached in the temporary folder; undefined where it does not install.
 */
export function findSupabaseLite() {
  const prefix = join(tmpdir(), 'fixtura-bench-supabase')
  const path = join(prefix, 'node_modules/@supabase/lite')
  try {
    if (!existsSync(path)) installPackage('@supabase/lite', process.env, prefix)
    return path
  } catch {
    return undefined
  }
}

const folder = join(tmpdir(), 'fixtura-bench-node-24')
const modules = join(folder, 'node_modules')

function install() {
  const name = `node-${process.platform}-${process.arch}`
  const path = join(modules, name, 'bin/node')
  if (!existsSync(path)) installPackage(`${name}@24`)
  return path
}

function installPackage(name, env = process.env, prefix = folder) {
  const args = ['install', '--no-audit', '--no-fund', '--prefix', prefix, name]
  execFileSync('npm', args, { stdio: 'ignore', env })
}
