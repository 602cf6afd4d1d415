import { describe, expect, it } from 'vitest'

import { startServer } from '../cli/program.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { findDifferences, loadRecorded, play, readAll, toCall } from './backends/play.ts'
import { startRecording } from './backends/recording.ts'
import { scripts, type Step, stepsOf } from './backends/scripts.ts'

describe('a mock of a recording', () => {
  it.each(Object.entries(scripts))('answers every recorded GET: %s', async (_name, script) => {
    const { posts, secrets, serve } = script
    const folder = createFolder({})
    const backend = await serve()
    const recording = await startRecording(backend.origin, folder)
    const answers = await play(recording.url, stepsOf(script))
    await backend.close()
    const { learned, written } = await recording.close()
    const counts = learned.resources.flatMap(({ name, value }) =>
      Array.isArray(value) ? [[name.split('/').at(-1), value.length]] : [],
    )
    expect(Object.fromEntries(counts)).toEqual({ posts, users: 5 })
    expect(written.different).toEqual([])
    // Only what a later write has changed is not in the records.
    const { fromRecords, fromAnswers, outdated } = written.reads
    expect(fromRecords + fromAnswers).toBe(answers.size)
    expect(fromAnswers).toBe(outdated)
    const { url } = await startServer(['--port', '0'], folder)
    const { origin } = new URL(url)
    // Absolute URLs of the real API name the mock.
    const differences = await findDifferences(fetch, origin, backend.origin, answers)
    expect(differences).toEqual([])
    const text = readAll(folder)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  it.each(Object.entries(scripts))('answers from records: %s', async (_name, script) => {
    const { serve, reads, paths } = script
    const folder = createFolder({})
    const backend = await serve()
    const recording = await startRecording(backend.origin, folder)
    const answers = await play(recording.url, reads)
    await backend.close()
    const { written } = await recording.close()
    expect(written.reads).toEqual({ fromRecords: answers.size, fromAnswers: 0, outdated: 0 })

    // A write is seen in lists and details.
    const mock = await loadRecorded(folder)
    const send = async (step: Step): Promise<string> => {
      const { path, ...init } = toCall(step)
      const response = await mock.fetch(path, init)
      const text = await response.text()
      return `${response.status} ${text === '' ? '' : JSON.stringify(JSON.parse(text))}`
    }
    const created = await send([`POST ${paths.posts}`, { title: 'Created' }])
    expect(created).toMatch(/^201 .*"Created"/)
    const id = /"id":"?([\w-]+)/.exec(created)?.[1] ?? ''
    expect(await send(`GET ${paths.post(id)}`)).toMatch(/^200 .*"Created"/)
    expect(await send(`GET ${paths.lastPage}`)).toMatch(/^200 .*"Created"/)
    expect(await send([`PATCH ${paths.post(7)}`, { title: 'Edited' }])).toMatch(/^200 .*"Edited"/)
    expect(await send(`GET ${paths.post(7)}`)).toMatch(/^200 .*"Edited"/)
    expect(await send(`GET ${paths.posts}`)).toMatch(/^200 .*"Edited"/)
    expect(await send([`DELETE ${paths.post(id)}`, undefined])).toMatch(/^20[04] /)
    expect(await send(`GET ${paths.lastPage}`)).not.toContain('"Created"')
  })
})
