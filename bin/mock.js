#!/usr/bin/env node
import { main } from '../dist/command/main.js'

process.exitCode = await main(process.argv.slice(2), process)
// A timer of user code must not keep the process alive after the command has ended.
setTimeout(() => process.exit(), 500).unref()
