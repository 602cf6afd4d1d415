import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { startServer } from '../cli/program.ts'
import { blocksOf, filesOf, pages } from './pages.ts'
import { machineConfig, openProject } from './project.ts'

/** The pages with a session on a terminal, whose commands ask a server. */
const sessions = pages.filter((page) =>
  blocksOf(page).some(({ language, code }) => language === 'console' && code.startsWith('$ curl')),
)

it('has pages with sessions', () => {
  expect(sessions.length).toBeGreaterThan(1)
})

it.each(sessions)('docs/%s shows what its commands print', async (page) => {
  const { folder, write } = await openProject(new Map(), ['@vitejs/plugin-react', 'vite'], [])
  let command: string[] = []
  let server: { url: string; stop: () => Promise<unknown> | void } | undefined
  for (const { language, label, path, code } of blocksOf(page)) {
    if (label === 'Vue') continue
    const [, started] =
      /^npx mock(?: server)?((?: [^\n#]*)?)$/m.exec(language === 'sh' ? code : '') ?? []
    if (path !== undefined || started !== undefined) {
      // The next session begins with a new server.
      await server?.stop()
      server = undefined
    }
    if (path !== undefined) write(path, code)
    if (started !== undefined) command = started.trim().split(/\s+/).filter(Boolean)
    if (language !== 'console') continue
    server ??= code.includes('localhost:5173')
      ? await startVite(folder)
      : await startMock([...command, '--port', '0'], folder)
    expect(await replay(code, server.url)).toBe(code)
  }
  await server?.stop()
})

/** Starts the built command in a folder. */
async function startMock(
  args: readonly string[],
  folder: string,
): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const { url, child, ended } = await startServer(args, folder)
  const stop = (): Promise<unknown> => {
    child.kill('SIGKILL')
    return ended
  }
  return { url, stop }
}

/** Starts Vite with the configuration in a folder. */
async function startVite(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0 } })
  await server.listen()
  onTestFinished(() => server.close())
  return { url: server.resolvedUrls?.local[0] ?? '', stop: () => server.close() }
}

/** Runs the commands of a session against a server; returns the session with what they print. */
async function replay(session: string, url: string): Promise<string> {
  const { host } = new URL(url)
  const [shown = ''] = /localhost:\d+/.exec(session) ?? []
  let printed = ''
  for (const line of session.split('\n').filter((text) => text.startsWith('$ '))) {
    const command = line
      .slice(2)
      .replaceAll(shown, host)
      .replace(/^curl /, 'curl -s ')
    const { stdout } = await promisify(execFile)('bash', ['-c', command])
    const text = stdout.replaceAll('\r', '').replaceAll(host, shown)
    printed += `${line}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}`
  }
  return printed
}

/** The pages of test runners: the page, the packages beside Fixtura, the command, and what a run prints. */
const runners: [page: string, packages: string[], command: string[], printed: RegExp][] = [
  [
    'set-up/vitest.md',
    ['vitest', 'vite', 'msw'],
    ['vitest/vitest.mjs', 'run'],
    /Tests .*\b4 passed \(4\)/,
  ],
  ['set-up/node-test.md', [], ['', '--test', '--test-reporter=tap'], /# pass 5\n# fail 0/],
  [
    'set-up/playwright.md',
    ['@playwright/test', 'vite'],
    ['@playwright/test/cli.js', 'test', '-c', machineConfig[0]],
    /\b3 passed/,
  ],
]

it.each(runners)(
  'docs/%s has tests that pass',
  async (page, packages, [script = '', ...args], printed) => {
    const files = filesOf([page]).set(...machineConfig)
    const { run } = await openProject(files, packages, ['3000', '5173'])
    expect(await run(script, ...args)).toMatch(printed)
  },
)
