#!/usr/bin/env node
import module from 'node:module'

// Keeps the compiled code for the next start, where Node can (22.8).
module.enableCompileCache?.()
const { main } = await import('../dist/command/main.js')
process.exitCode = await main(process.argv.slice(2), process)
// A timer of user code must not keep the process alive after the command has ended and its output was read.
process.stdout.write('', () => setTimeout(() => process.exit(), 500).unref())
