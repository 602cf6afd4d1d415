import { beforeEach, expect } from 'vitest'

import { faces, tables } from '../../faces.ts'
import { connectChromium } from './chromium-face.ts'
import { connectVite } from './vite-face.ts'

const vite = "Vite's dev server"

// A worker runs many files, and a group in one file can have the name of a table in another.
tables.clear()

// Only the faces that need a browser or Vite; the other test run covers the rest.
for (const name of Object.keys(faces)) delete faces[name]
Object.assign(faces, {
  'msw 2 in Chromium': connectChromium('msw'),
  'msw 3 in Chromium': connectChromium('msw3'),
  [vite]: connectVite,
})

beforeEach(({ task, skip }) => {
  const group = task.suite?.name ?? ''
  if (tables.has(group)) expect(group).toMatch(/ \((?:msw \d in Chromium|Vite's dev server)\)$/)
  else if (!`${group} ${task.name}`.includes(vite))
    skip('is not in a table: a page cannot create its mock, or does not need one')
})
