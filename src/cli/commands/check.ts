import { MockError } from '../../core/errors/mock-error.ts'
import { checkRecords } from '../../load/check-records.ts'
import { loadFrom } from '../../load/load-mock.ts'
import { isResourceRoute, type Route } from '../../core/http/contract/internals.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { countOf } from '../../core/text/count-of.ts'
import { findDuplicateKeys } from '../../loader/check/duplicate-keys.ts'
import { describeSkipped } from '../../loader/discover/extensions.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { describeProblem } from '../output/problems.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfig } from './config.ts'

/** `mock check`: loads all fixtures and reports every problem; the exit code is 1 if there is a problem. */
export async function runCheck(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, print, commands, help } = terminal
  // Without the lock that `persist` takes, a check also runs beside a server that persists.
  const config = { ...(await readConfig(args, io)), persist: false }
  const problems: Diagnostic[] = []
  const onProblem = (problem: Diagnostic): void => {
    problems.push(problem)
    const text = describeProblem(problem, paint)
    print(`${commands.write(text)}${help(text, io.stdout)}\n`)
  }
  try {
    const { mock, source } = await loadFrom<Record<string, unknown>>(config, {
      onProblem,
      async check(result, options) {
        const duplicates = await findDuplicateKeys(result.files.values())
        return [...duplicates, ...(await checkRecords(result, options))]
      },
    })
    if (problems.length === 0) print(paint.green(`No problems: ${describeRoutes(mock.routes)}.`))
    const { skipped } = source.scanner.current()
    for (const line of describeSkipped(skipped)) print(toPrintable(line))
  } catch (error) {
    if (!(error instanceof MockError && error.code === 'FIXTURES_INVALID')) throw error
  }
  if (problems.length === 0) return 0
  const files = new Set(problems.map(({ file }) => file)).size
  print(paint.red(`${countOf(problems.length, 'problem')} in ${countOf(files, 'file')}.`))
  return 1
}

function describeRoutes(routes: readonly Route[]): string {
  const resources = routes.filter(isResourceRoute)
  const records = resources.filter(({ kind }) => kind === 'collection')
  const total = records.reduce((sum, route) => sum + route.count, 0)
  return `${countOf(resources.length, 'resource')}, ${countOf(total, 'record')}`
}
