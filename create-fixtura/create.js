#!/usr/bin/env node
// `npm create fixtura` runs `mock init` of the newest fixtura in the working directory, with the same options.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const manifest = createRequire(import.meta.url).resolve('fixtura/package.json')
const command = join(dirname(manifest), 'bin/mock.js')
const { status } = spawnSync(process.execPath, [command, 'init', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
