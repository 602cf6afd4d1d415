import { describe, expect, it } from 'vitest'

import { startServer } from '../cli/program.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { findDifferences, play, readAll } from './backends/play.ts'
import { startRecording } from './backends/recording.ts'
import { scripts } from './backends/scripts.ts'

describe('a mock of a recording', () => {
  it.each(Object.entries(scripts))('answers every recorded GET: %s', async (_name, script) => {
    const { posts, secrets, serve, steps } = script
    const folder = createFolder({})
    const backend = await serve()
    const recording = await startRecording(backend.origin, folder)
    const answers = await play(recording.url, steps)
    await backend.close()
    const { learned, written } = await recording.close()
    const counts = learned.resources.flatMap(({ name, value }) =>
      Array.isArray(value) ? [[name.split('/').at(-1), value.length]] : [],
    )
    expect(Object.fromEntries(counts)).toEqual({ posts, users: 5 })
    expect(written.different).toEqual([])
    const { url } = await startServer(['--port', '0'], folder)
    const { origin } = new URL(url)
    // Absolute URLs of the real API name the mock.
    const differences = await findDifferences(fetch, origin, backend.origin, answers)
    expect(differences).toEqual([])
    const text = readAll(folder)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})
