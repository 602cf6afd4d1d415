/** Loaded before the command: kills the process at the KILL_AT-th step of writing files, with half of a text written. */
import sync from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const { open } = fs
const { renameSync } = sync
let left = Number(process.env['KILL_AT'])

function step() {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

fs.open = async (...given) => {
  step()
  const handle = await open(...given)
  const { writeFile } = handle
  handle.writeFile = async (text) => {
    await writeFile.call(handle, text.slice(0, text.length / 2))
    step()
    return writeFile.call(handle, text.slice(text.length / 2))
  }
  return handle
}
sync.renameSync = (...given) => {
  step()
  return renameSync(...given)
}
syncBuiltinESMExports()
