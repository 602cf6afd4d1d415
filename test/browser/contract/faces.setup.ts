import { beforeEach } from 'vitest'

import { faces, tables } from '../../faces.ts'
import { connectChromium } from './chromium-face.ts'
import { connectVite } from './vite-face.ts'

const vite = "Vite's dev server"

// One worker runs many files, and a group of one may have the name of another's table.
tables.clear()

// The tables run through these faces here; through all others they run without a browser.
for (const name of Object.keys(faces)) delete faces[name]
Object.assign(faces, {
  'msw 2 in Chromium': connectChromium('msw'),
  'msw 3 in Chromium': connectChromium('msw3'),
  [vite]: connectVite,
})

beforeEach(({ task, skip }) => {
  const group = task.suite?.name ?? ''
  if (tables.has(group) || `${group} ${task.name}`.includes(vite)) return
  skip('is in no table: a page can make no mock for it, or needs to make none')
})
