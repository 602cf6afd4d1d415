import { beforeEach } from 'vitest'

import { faces, tables } from '../../faces.ts'
import { connectChromium } from './chromium-face.ts'
import { connectVite } from './vite-face.ts'

// The tables run through these two faces here; through all others they run without a browser.
for (const name of Object.keys(faces)) delete faces[name]
Object.assign(faces, { 'msw in Chromium': connectChromium, "Vite's dev server": connectVite })

beforeEach(({ task, skip }) => {
  if (!tables.has(task.suite?.name ?? '')) skip('is in no table, and needs no browser')
})
