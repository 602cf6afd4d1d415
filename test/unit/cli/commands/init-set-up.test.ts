import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

const viteConfig = `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
})
`
const own = { devDependencies: { fixtura: '1', msw: '2', vite: '8', vitest: '4' } }

describe('the set-up of mock init', () => {
  const rows: [title: string, files: Files, args: string, written: string[], next: string[]][] = [
    [
      'adds the plugin to the configuration of Vite',
      { 'package.json': { devDependencies: { vite: '8' } }, 'vite.config.ts': viteConfig },
      '',
      ['added  vite.config.ts'],
      [
        'npm install --save-dev fixtura',
        'npx vite   # then open http://localhost:5173/api/comments',
      ],
    ],
    [
      'writes a configuration of Vite where there is none',
      { 'package.json': { devDependencies: { vite: '8', typescript: '5' } } },
      '',
      ['wrote  vite.config.ts'],
      [
        'npm install --save-dev fixtura',
        'npx vite   # then open http://localhost:5173/api/comments',
      ],
    ],
    [
      'writes tests of Vitest in JavaScript',
      { 'package.json': { devDependencies: { vitest: '4', fixtura: '1', msw: '2' } } },
      '',
      ['wrote  mocks/setup.js', 'wrote  mocks/mock.test.js'],
      ['npx fixtura server', 'npx vitest run mocks'],
    ],
    [
      'writes a route of Next beside pages in src',
      { 'package.json': { dependencies: { next: '16', fixtura: '1' } }, 'src/pages/a.js': '' },
      '',
      ['wrote  src/app/api/[...path]/route.js'],
      ['npx next dev   # then open http://localhost:3000/api/comments'],
    ],
    [
      'takes options over what package.json suggests',
      { 'package.json': own, 'pnpm-lock.yaml': '' },
      '--framework none --tests jest,playwright --typescript',
      ['wrote  mocks/mock.test.mjs', 'wrote  playwright.config.ts', 'wrote  e2e/mock.spec.ts'],
      [
        'pnpm add -D jest @playwright/test',
        'npx fixtura server',
        'node --experimental-vm-modules node_modules/jest/bin/jest.js mocks   # the flag lets Jest load ES modules',
        'npx playwright install chromium',
        'npx playwright test mock',
      ],
    ],
    [
      "writes tests to the folder of Playwright's configuration",
      {
        'package.json': { devDependencies: { '@playwright/test': '1', fixtura: '1' } },
        'playwright.config.ts': "export default { testDir: './tests' }",
      },
      '',
      ['wrote  tests/mock.spec.js'],
      ['npx fixtura server', 'npx playwright install chromium', 'npx playwright test mock'],
    ],
    [
      'takes the base and the fixtures of a configuration',
      {
        'package.json': own,
        'mock.config.json': { base: '/v2', fixtures: 'data.json' },
        'data.json': { cars: [] },
      },
      '--framework vite --tests none',
      ['wrote  vite.config.js'],
      ['npx vite   # then open http://localhost:5173/v2/cars'],
    ],
    [
      'leaves a project with a configuration alone',
      { 'package.json': own, 'mock.config.json': { base: '/v2' }, 'vite.config.ts': viteConfig },
      '',
      [],
      ['npx fixtura server'],
    ],
  ]

  it.each(rows)('%s', async (_title, files, args, written, next) => {
    const cwd = createFolder(files)
    const io = createFakeIo({ cwd })
    expect(await main(['init', ...args.split(' ').filter(Boolean)], io)).toBe(0)
    const lines = io.out().split('\n')
    const isSetUp = (line: string): boolean =>
      /^(?:wrote|added) .*(?:\.spec|mocks|route|vite|playwright)/.test(line)
    expect(lines.filter(isSetUp)).toEqual(written)
    const steps = io.out().slice(io.out().indexOf('\nNext:') + '\nNext:'.length)
    expect(steps.trim().split(/\n\s*/)).toEqual(next)
  })

  const configs: [title: string, text: string, expected: string | undefined][] = [
    [
      'a list on one line',
      viteConfig,
      viteConfig.replace('[react()]', "[fixtura({ base: '/api', mode: 'server' }), react()]"),
    ],
    [
      'a list on several lines',
      viteConfig.replace('[react()]', '[\n    react(),\n  ]'),
      viteConfig.replace(
        '[react()]',
        "[\n    fixtura({ base: '/api', mode: 'server' }),\n    react(),\n  ]",
      ),
    ],
    [
      'an empty list',
      viteConfig.replace('react()', ''),
      viteConfig.replace('react()', "fixtura({ base: '/api', mode: 'server' })"),
    ],
    [
      'no list',
      viteConfig.replace('  plugins: [react()],\n', ''),
      viteConfig.replace('react()', "fixtura({ base: '/api', mode: 'server' })"),
    ],
    [
      'two lists',
      viteConfig.replace('  plugins', '  worker: {\n    plugins: []\n  },\n  plugins'),
      undefined,
    ],
    ['a CommonJS module', "module.exports = { plugins: [require('x')()] }\n", undefined],
  ]

  it.each(configs)(
    'understands a configuration of Vite with %s, or says what to add',
    async (_, text, expected) => {
      const cwd = createFolder({ 'vite.config.js': text })
      const io = createFakeIo({ cwd })
      await main(['init'], io)
      const changed = expected && `import { fixtura } from 'fixtura/vite'\n${expected}`
      expect(readFileSync(join(cwd, 'vite.config.js'), 'utf8')).toBe(changed ?? text)
      expect(io.out().includes('Please add the plugin to vite.config.js')).toBe(
        expected === undefined,
      )
    },
  )

  it('changes nothing the second time', async () => {
    const cwd = createFolder({ 'package.json': own, 'vite.config.ts': viteConfig })
    await main(['init'], createFakeIo({ cwd }))
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--framework', 'vite', '--tests', 'vitest'], io)).toBe(0)
    expect(io.out()).not.toMatch(/^(?:wrote|added)/m)
    expect(io.out()).toContain('kept   vite.config.ts')
  })

  it('suggests the nearest name', async () => {
    const io = createFakeIo({ cwd: createFolder() })
    expect(await main(['init', '--tests', 'vitets'], io)).toBe(1)
    expect(io.err()).toBe('Failed to read --tests: "vitets" is not known. Did you mean "vitest"?\n')
  })
})

describe('the questions of mock init', () => {
  const [enter, down, space, cancel] = ['\r', '\u001B[B', ' ', '\u0003']

  /** Runs the command on a terminal, and presses the keys of each question when it appears. */
  async function answer(
    files: Files,
    answers: Readonly<Record<string, readonly string[]>>,
    args: readonly string[] = [],
  ): Promise<{ code: number; cwd: string; text: string }> {
    const cwd = createFolder(files)
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    const open = new Map(Object.entries(answers))
    let text = ''
    stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
      for (const [question, keys] of open) {
        if (!text.includes(question)) continue
        open.delete(question)
        // The question listens once it is drawn.
        setImmediate(() => stdin.write(keys.join('')))
      }
    })
    const code = await main(['init', ...args], { ...createFakeIo({ cwd }), stdin, stdout })
    return { code, cwd, text }
  }

  it('begin with what package.json suggests, and lead to a set-up', async () => {
    const { code, cwd, text } = await answer(
      { 'package.json': { devDependencies: { ...own.devDependencies, '@playwright/test': '1' } } },
      {
        'Which framework': [down, enter],
        'Which tests': [space, enter],
        'TypeScript?': ['y'],
        'JetBrains IDEs?': ['n'],
        'coding agents': ['n'],
        'that are missing?': ['n'],
      },
    )
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'app/api/[...path]/route.ts'))).toBe(true)
    expect(existsSync(join(cwd, 'mocks'))).toBe(false)
    expect(existsSync(join(cwd, 'e2e/mock.spec.ts'))).toBe(true)
    expect(text).toContain('npm install --save-dev next')
  })

  it('are not asked for options that are given', async () => {
    const { code, text } = await answer({ 'package.json': own }, { 'TypeScript?': [enter] }, [
      '--framework=none',
      '--tests=none',
      '--editor=false',
      '--agents=false',
      '--install=false',
    ])
    expect([code, /Which|missing/.test(text)]).toEqual([0, false])
    const { text: none } = await answer({ 'package.json': own }, {}, ['--yes'])
    expect(none).not.toContain('?')
  })

  it('write nothing when they are cancelled', async () => {
    const { code, cwd, text } = await answer({}, { 'Which framework': [cancel] })
    expect([code, readdirSync(cwd)]).toEqual([1, []])
    expect(text).toContain('Nothing was written.')
  })
})
