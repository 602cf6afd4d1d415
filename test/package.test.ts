import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

interface LockedPackage {
  optionalDependencies?: Record<string, string>
}

describe('the tarball', () => {
  it('holds the build, the command and the documents, and nothing else', () => {
    const allowed = /^(dist\/.+\.(js|d\.ts)|bin\/mock\.js|package\.json|[A-Z]+\.md|LICENSE)$/
    const paths = packed()
    expect(paths).toContain('package.json')
    expect(paths.filter((path) => !allowed.test(path))).toEqual([])
  })
})

describe('the lockfile', () => {
  // Where one is left out, `npm ci` refuses the lockfile on every machine.
  it('lists every platform package of every package', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, LockedPackage>
    }
    const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    const listed = new Set(
      Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
    )
    expect(wanted.filter((name) => !listed.has(name))).toEqual([])
    expect(wanted).not.toEqual([])
  })
})

function packed(): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [tarball] = JSON.parse(output) as { files: { path: string }[] }[]
  return tarball?.files.map((file) => file.path) ?? []
}
