import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs what takes longer than the tests of every day, and adds up their results: the peers, official suites,
 * documents, examples and types; the contract again on Node 24 with MSW 3, in workerd, on Bun and on Deno; a browser.
 * Node 24, Bun and Deno come from the registry into a temporary folder.
 *
 * `npm run test:all`, or `node test/all.js --first='npm run check' --first='npm test'` with other commands before it.
 * The last line is `N passed, N failed`; a command that fails without a failed test counts as one.
 */
const { first } = parseArgs({
  options: { first: { type: 'string', multiple: true, default: [] } },
}).values
const folder = mkdtempSync(join(tmpdir(), 'fixtura-all-'))
const vitest = 'npx vitest run'
const install = 'npm install --no-save --no-audit --no-fund --prefix'
const bins = join(folder, 'runtimes/node_modules/.bin')
const bun = join(bins, 'bun')
const deno = `${join(bins, 'deno')} run -A --quiet`
const node24 = join(
  folder,
  `node-24/node_modules/node-${process.platform}-${process.arch}/bin/node`,
)
const tables = readdirSync('test/contract', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('side-by-side.test.ts'))
  .map((name) => `test/contract/${name}`)
  .join(' ')
const command =
  "test/cli/persist.test.ts test/cli/server.test.ts -t 'serves an edit|drops|journal|acknowledges|says where'"

/** Each command with its environment; `needs` is a file without which it cannot run, made by a command before it. */
const steps = [
  ...first.map((run) => ({ run })),
  { run: 'npm run docs:build' },
  { run: `${vitest} --project wide` },
  { run: `${install} ${folder}/node-24 node-${process.platform}-${process.arch}@24` },
  {
    // MSW 3 needs Node 22 or later.
    run: `${node24} node_modules/vitest/vitest.mjs run test/contract test/faces test/examples`,
    env: { MSW: '3' },
    needs: node24,
  },
  { run: `${install} ${folder}/runtimes bun@1 deno@2` },
  {
    // Each table of the contract inside of workerd, an object a row, of which each tenth restarts.
    run: `${vitest} ${tables} -t '\\((workerd|bun|deno)\\b'`,
    env: { CONTRACT_FACE: 'workerd,runtimes', RUNTIMES: `${bun}, ${deno}` },
    needs: bun,
  },
  {
    run: `${vitest} test/runtimes/generated.test.ts`,
    env: { RUNTIMES: `${node24}, ${bun}, ${deno}` },
    needs: bun,
  },
  { run: `${vitest} ${command}`, env: { RUNTIME: bun }, needs: bun },
  { run: `${vitest} ${command}`, env: { RUNTIME: deno }, needs: bun },
  ...browserSteps(),
]

const totals = steps.map(runStep)
rmSync(folder, { recursive: true, force: true })
for (const { failures } of totals) for (const line of failures) console.log(line)
const sum = (key) => totals.reduce((total, step) => total + step[key], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0

/** Runs a command in a shell, at most 50 minutes; one with tests leaves its report in a file. */
function runStep({ run, env = {}, needs }, index) {
  console.log(`\n== ${run}`)
  if (needs && !existsSync(needs)) return toTotals(run, `${needs} is missing`, undefined)
  const report = join(folder, `report-${index}.json`)
  const hasTests = /vitest\b|^npm (?:run )?test/.test(run)
  const options = `--reporter=default --reporter=json --outputFile.json=${report}`
  const line = !hasTests ? run : `${run} ${run.startsWith('npm') ? `-- ${options}` : options}`
  const { status, signal } = spawnSync(line, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 3_000_000,
    env: { ...process.env, ...env },
  })
  const problem = status === 0 ? '' : `exit code ${status ?? signal}`
  return toTotals(
    run,
    problem,
    existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
  )
}

function toTotals(run, problem, report) {
  const failed = report?.numFailedTests || (problem === '' ? 0 : 1)
  const tests = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`  ${name}: ${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `  ${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`),
  ])
  const failures = failed === 0 ? [] : [`\n${run}: ${failed} failed (${problem})`, ...tests]
  return { passed: report?.numPassedTests ?? 0, failed, failures }
}

/** The browser's tests and nine of the fifty of the server-side example, in headless Chromium. */
function browserSteps() {
  const shell = '/usr/bin/chromium-headless-shell'
  const apt = 'apt-get install -qq -y --no-install-recommends chromium-headless-shell'
  const isInstalled = (process.env.PATH ?? '')
    .split(delimiter)
    .some((path) => existsSync(join(path, 'chromium-headless-shell')))
  // Without the parts that need a display, Chromium takes a quarter less time. Only CI may install it.
  const needsInstall = !isInstalled && process.env.CI !== undefined
  const env =
    isInstalled || needsInstall ? { CHROMIUM: shell, DEBIAN_FRONTEND: 'noninteractive' } : {}
  const example = 'sveltekit -- --workers=2 --reporter=line'
  return [
    ...(needsInstall ? [{ run: `apt-get update -qq && ${apt}`, env }] : []),
    { run: `${vitest} --config test/browser/vitest.config.ts`, env },
    { run: `node test/examples/ssr.js ${example} '--grep-invert=test \\d\\d'`, env },
  ]
}
