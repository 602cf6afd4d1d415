// Reads CPU profiles, for `npm run bench -- --profile folder`: which functions took the most time themselves.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the functions with the most self time in the newest profile of a folder, as percentages. */
export function readProfile(folder, length = 12) {
  const name = readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .toSorted()
    .at(-1)
  if (!name) return []
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const titles = new Map(nodes.map(({ id, callFrame }) => [id, toTitle(callFrame)]))
  const times = new Map()
  for (const [at, id] of samples.entries()) {
    const title = titles.get(id)
    if (title !== '(idle)') times.set(title, (times.get(title) ?? 0) + timeDeltas[at])
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, length)
    .map(([title, time]) => `${((time / all) * 100).toFixed(1).padStart(5)} % ${title}`)
}

function toTitle({ functionName, url, lineNumber }) {
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/(dist|node_modules)\//, '')
  return path ? `${functionName || '(anonymous)'} ${path}:${lineNumber + 1}` : functionName
}
