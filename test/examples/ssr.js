import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs the example of a framework as a user would, in a folder of its own: installs its packages and the
 * built package, builds the application, and runs the Playwright tests that all examples share. Needs
 * `npm run build`.
 * @example node test/examples/ssr.js next --repeat-each=10 --workers=2
 */
const [name = '', ...args] = process.argv.slice(2)
const here = import.meta.dirname
const folder = realpathSync(mkdtempSync(join(tmpdir(), `fixtura-${name}-`)))
const started = Date.now()

try {
  cpSync(join(here, name), folder, { recursive: true })
  cpSync(join(here, 'ssr'), folder, { recursive: true })
  writeFileSync(join(folder, 'machine.config.ts'), machine())
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], join(here, '../..'))
  run('npm', ['pkg', 'set', 'devDependencies.fixtura=file:fixtura-0.1.0.tgz'])
  run('npm', ['install', '--no-audit', '--no-fund'])
  run('npm', ['run', 'build'])
  const env = { PORT: await findPort(), MOCK_PORT: await findPort() }
  run('npx', ['playwright', 'test', '--config=machine.config.ts', ...args], folder, env)
} catch (error) {
  // The command has printed what is wrong.
  if (error.status === undefined) throw error
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

function run(command, args, cwd = folder, env = {}) {
  console.log(`\n${Math.round((Date.now() - started) / 1000)} s: ${command} ${args.join(' ')}`)
  execFileSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
  })
}

/** The configuration of the tests with the browser of this machine. */
function machine() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = { executablePath, args: ['--no-sandbox', '--disable-gpu'] }
  return `import config from './playwright.config.ts'
export default { ...config, use: { ...config.use, launchOptions: ${JSON.stringify(browser)} } }`
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
