import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openProject } from '../examples/project.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/speak/supabase.md'), 'utf8')

/** The code of a block of the document: the first that has a text. */
function blockWith(text: string): string {
  const blocks = Array.from(page.matchAll(/```\w+\n([^]*?)```/g), ([, code = '']) => code)
  return blocks.find((code) => code.includes(text)) ?? ''
}

it('has the settings of a Vite application, and tests that run in parallel', async () => {
  const packages = ['@playwright/test', 'vite', '@supabase/supabase-js']
  const { folder, ports, run } = await openProject('supabase', packages, ['3000', '5173'])
  const write = (path: string, text: string): void => {
    const code = [...ports].reduce((all, [from, to]) => all.replaceAll(from, `${to}`), text)
    writeFileSync(join(folder, path), code)
  }
  mkdirSync(join(folder, 'e2e'))
  write('app/.env.local', blockWith('VITE_SUPABASE_URL'))
  write('mock.config.js', blockWith('sessions()'))
  write('e2e/sign-up.spec.ts', blockWith('mockTest('))
  const browser = {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  }
  write(
    'machine.config.ts',
    `import config from './playwright.config.ts'
export default { ...config, use: { ...config.use, launchOptions: ${JSON.stringify(browser)} } }`,
  )
  const options = ['--config=machine.config.ts', '--workers=2', '--repeat-each=4']
  const output = await run('@playwright/test/cli.js', 'test', ...options)
  expect(output).toContain('4 passed')
})
