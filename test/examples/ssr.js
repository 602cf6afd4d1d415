import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs the example of a framework as a user would, in a folder of its own: installs its packages and the
 * built package, builds the application once, and runs the Playwright tests that all examples share,
 * `--runs` times. `--dev` tests the development server instead of the build. All other options are those of
 * Playwright, after `--`. Needs `npm run build`.
 * @example node test/examples/ssr.js next --runs=10 -- --workers=2
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' }, dev: { type: 'boolean', default: false } },
})
const [name = '', ...args] = positionals
const here = import.meta.dirname
const folder = realpathSync(mkdtempSync(join(tmpdir(), `fixtura-${name}-`)))
const started = Date.now()
let current
let signal

for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(one, () => {
    signal = one
    // Playwright stops its browsers and servers on SIGINT alone.
    current?.kill('SIGINT')
  })
}

try {
  await install()
  if (!values.dev) await run('npm', ['run', 'build'])
  const env = { PORT: await findPort(), MOCK_PORT: await findPort() }
  const script = 'node_modules/@playwright/test/cli.js'
  const times = []
  for (let number = 1; number <= Number(values.runs); number++) {
    const start = Date.now()
    await run('node', [script, 'test', '--config=machine.config.ts', ...args], folder, env)
    times.push(`${Math.round((Date.now() - start) / 1000)} s`)
    console.log(`${name}: run ${number} of ${values.runs} passed in ${times.at(-1)}`)
  }
  console.log(`${name}: ${times.length} of ${values.runs} runs passed: ${times.join(', ')}`)
} catch (error) {
  console.error(`${name}: ${error.message}`)
  process.exitCode = 1
} finally {
  endProcesses()
  rmSync(folder, { recursive: true, maxRetries: 5 })
}

async function install() {
  cpSync(join(here, name), folder, { recursive: true })
  cpSync(join(here, 'ssr'), folder, { recursive: true })
  writeFileSync(join(folder, 'machine.config.ts'), machine())
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], join(here, '../..'))
  await run('npm', ['pkg', 'set', 'devDependencies.fixtura=file:fixtura-0.1.0.tgz'])
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'])
}

/** Runs a command; rejects if the command fails, or if a signal ends this process. */
async function run(command, args, cwd = folder, env = {}) {
  const line = `${command} ${args.join(' ')}`
  console.log(`\n${Math.round((Date.now() - started) / 1000)} s: ${line}`)
  const code = await new Promise((resolve, reject) => {
    const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env }
    current = spawn(command, args, { cwd, stdio: 'inherit', env: environment })
    current.on('error', reject)
    current.on('exit', resolve)
  })
  current = undefined
  if (signal) throw new Error(`ended by ${signal}`)
  if (code !== 0) throw new Error(`"${line}" failed`)
}

/**
 * Ends what a command that was killed has left behind. Its servers and browsers have process groups of their
 * own, but all run in the folder of the example. Only Linux lists the folders of processes.
 */
function endProcesses() {
  if (!existsSync('/proc/self/cwd')) return
  for (const entry of readdirSync('/proc')) {
    if (isInFolder(entry)) process.kill(Number(entry), 'SIGKILL')
  }
}

function isInFolder(entry) {
  if (!/^\d+$/.test(entry)) return false
  try {
    return `${readlinkSync(`/proc/${entry}/cwd`)}/`.startsWith(`${folder}/`)
  } catch {
    // The process has ended, or belongs to another user.
    return false
  }
}

/**
 * The configuration of the tests with the browser of this machine, with time for machines with two busy cores,
 * and with development servers for `--dev`.
 */
function machine() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = { executablePath, args: ['--no-sandbox', '--disable-gpu'] }
  const [start, dev] = ['npm start', 'npm run dev -- --port ${process.env.PORT}']
  return `import config from './playwright.config.ts'
const [mock, app] = config.webServer
export default {
  ...config,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { ...config.use, trace: 'off', launchOptions: ${JSON.stringify(browser)} },
  webServer: [mock, ${values.dev ? `{ ...app, command: app.command.replace('${start}', \`${dev}\`) }` : 'app'}],
}`
}

/** A port that is free now; the system does not give it out again soon. */
function findPort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })
}
