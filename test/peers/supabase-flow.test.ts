import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { loadFixtures } from '../../src/loader/load.ts'
import { loadMock } from '../../src/node.ts'
import { socketFaces } from '../sockets.ts'
import { expectedFlow, type FlowOptions, runFlow } from '../supabase/flow.ts'
import { bundleWorker, startWorkerd, token } from '../workerd.ts'

const cwd = join(import.meta.dirname, '../supabase')
const fixtures = ['database.types.ts', 'seed.sql']
const open = () => loadMock({ fixtures, dialect: 'supabase', cwd })

const toClient = () => ({ realtime: { transport: (globalThis.WebSocket ?? WebSocket) as never } })

it.each(Object.keys(socketFaces))('an application runs unchanged (%s)', async (name) => {
  const mock = await open()
  const face = await socketFaces[name]?.(mock)
  onTestFinished(() => face?.close())
  const flow = await runFlow({
    url: face?.url ?? '',
    client: toClient(),
    advance: (minutes) => mock.clock.advance(`${minutes}m`),
    hasSockets: true,
  })
  expect(flow).toEqual(expectedFlow(true))
})

it('an application runs unchanged (mock.fetch)', async () => {
  const mock = await open()
  const fetch: FlowOptions['client'] = {
    ...toClient(),
    global: { fetch: (input, init) => mock.fetch(new Request(input, init)) },
  }
  const flow = await runFlow({
    url: 'http://mock.test',
    client: fetch,
    advance: (minutes) => mock.clock.advance(`${minutes}m`),
    hasSockets: false,
  })
  expect(flow).toEqual(expectedFlow(false))
})

it('an application runs unchanged (workerd)', async () => {
  const { sources, schemas } = await loadFixtures(fixtures, { cwd })
  const src = (file: string): string => JSON.stringify(join(cwd, '../../src', file))
  const data = Object.fromEntries(sources.map(({ name, value }) => [name, value]))
  const source = `
    import { schema } from ${src('behaviours.ts')}
    import { supabase } from ${src('dialects.ts')}
    import { createWorker } from ${src('worker.ts')}
    const worker = createWorker({
      fixtures: ${JSON.stringify(data)},
      dialect: supabase,
      use: [schema(${JSON.stringify(schemas)})],
    })
    export const { MockSession } = worker
    export default worker`
  const workerd = await startWorkerd(await bundleWorker(source))
  onTestFinished(() => workerd.close())
  const flow = await runFlow({
    url: workerd.url,
    client: toClient(),
    advance: (minutes) =>
      fetch(`${workerd.url}/__mock/clock/advance`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(`${minutes}m`),
      }),
    hasSockets: true,
  })
  expect(flow).toEqual(expectedFlow(true))
})
