#!/usr/bin/env node
import { main } from '../dist/command/main.js'

process.exitCode = await main(process.argv.slice(2), process)
// What has ended may leave a timer of somebody else's behind.
setTimeout(() => process.exit(), 500).unref()
