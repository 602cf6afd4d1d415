import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, it } from 'vitest'

import { createFolder } from './unit/loader/folder.ts'

const root = join(import.meta.dirname, '..')

/** The members of a package.json that both packages have. */
interface Manifest {
  version: string
  license: string
  engines: object
}

it('runs mock init of the package that it depends on, with the same options', async () => {
  const cwd = createFolder({ 'package.json': { type: 'module' } })
  // As npm installs both: the package beside the one that it depends on.
  const modules = join(createFolder(), 'node_modules')
  mkdirSync(join(modules, 'create-fixtura'), { recursive: true })
  symlinkSync(root, join(modules, 'fixtura'), 'junction')
  const script = join(modules, 'create-fixtura/create.js')
  writeFileSync(script, readFileSync(join(root, 'create-fixtura/create.js')))
  writeFileSync(join(modules, 'create-fixtura/package.json'), '{ "type": "module" }')
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [script, '--tests', 'jest'], { cwd })
  expect(stdout).toContain('wrote  mocks/mock.test.mjs')
  expect(existsSync(join(cwd, 'fixtures/posts.json'))).toBe(true)
  const failed = run(process.execPath, [script, '--tets'], { cwd })
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--tests'),
  })
})

it('has the version, the license and the engines of the package', () => {
  const [own, main] = ['create-fixtura/package.json', 'package.json'].map((name) => {
    const manifest = JSON.parse(readFileSync(join(root, name), 'utf8')) as Manifest
    return [manifest.version, manifest.license, manifest.engines]
  })
  expect(own).toEqual(main)
})
