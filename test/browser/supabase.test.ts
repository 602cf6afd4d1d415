import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { expectedFlow } from '../supabase/flow.ts'
import { shareApp } from './app.ts'
import { openPage } from './page.ts'

const root = join(import.meta.dirname, '../..')

const index = `
  import { createMock } from 'fixtura'
  import { schema } from 'fixtura/behaviours'
  import { startMock } from 'fixtura/browser'
  import { supabase } from 'fixtura/dialects'
  import { fixtures, schemas } from 'virtual:fixtura'
  import { runFlow } from './flow.ts'
  const mock = createMock({ fixtures, dialect: supabase, use: [schema(schemas)] })
  await startMock(mock)
  globalThis.flow = await runFlow({
    url: 'http://localhost:54321',
    advance: (minutes) => mock.clock.advance(minutes + 'm'),
    hasSockets: true,
  }).catch(String)
`

describe.each(['msw', 'msw3'] as const)('a page with %s', (msw) => {
  const shared = shareApp({
    msw,
    prepare(app) {
      app.write(
        'vite.config.ts',
        `import { fixtura } from 'fixtura/vite'
        const fixtures = ['src/database.types.ts', 'src/seed.sql']
        export default { plugins: [fixtura({ fixtures })], build: { target: 'es2022' } }`,
      )
      cpSync(join(root, 'test/supabase'), join(app.folder, 'src'), { recursive: true })
      app.write('src/main.ts', index)
      app.write(
        'public/mockServiceWorker.js',
        readFileSync(join(root, 'node_modules', msw, 'lib/mockServiceWorker.js'), 'utf8'),
      )
      const scope = join(app.folder, 'node_modules/@supabase')
      mkdirSync(scope)
      symlinkSync(join(root, 'node_modules/@supabase/supabase-js'), join(scope, 'supabase-js'))
    },
  })

  it('is the back end of an application with supabase-js', async () => {
    const { page } = await openPage(shared().serving.url)
    const handle = await page.waitForFunction(() => (globalThis as { flow?: unknown }).flow)
    expect(await handle.jsonValue()).toEqual(expectedFlow(true))
  })
})
