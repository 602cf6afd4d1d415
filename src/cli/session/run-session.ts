import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../../core/fixtures/fixtures.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { createInvalidRecords } from '../../load/check-records.ts'
import { EDITOR_FOLDER } from '../../load/config/resolve-config.ts'
import { filesOf } from '../../load/load-mock.ts'
import { watch, type WatchedChange } from '../../load/watch.ts'
import { describeSkipped, listSome } from '../../loader/discover/extensions.ts'
import { listenToKeys } from './keys.ts'
import { openInBrowser } from './open-browser.ts'
import { addressesOf, homeOf } from '../output/addresses.ts'
import { describeServer } from '../output/banner.ts'
import { describeProblem } from '../output/problems.ts'
import type { Paint } from '../output/terminal.ts'
import { toPrintable, toPrintableLines } from '../output/printable.ts'
import type { Session } from './session.ts'
import { readPackage } from '../package-facts.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { toLabel } from '../../loader/discover/discover.ts'

/** Starts banner, browser, keys, watching, validation and types file; returns a function that stops them after writes. */
export async function runSession(session: Session): Promise<() => Promise<void>> {
  const { mock, config, serving, terminal, print, printError } = session
  const { paint, errorPaint } = terminal
  const keys = await listenToKeys(session)
  const { token } = serving
  const { routes, base } = mock
  const urls = addressesOf(serving.url)
  const { version } = readPackage()
  const readyMs = performance.now() - session.startedAt
  const facts = { urls, version, readyMs, token, routes, base, keys: keys.labels }
  print(await describeServer(facts, terminal))
  const skipped = describeSkipped(filesOf(mock)?.source.scanner.current().skipped ?? [])
  const document = filesOf(mock)?.openapi
  if (document) {
    const { describeProblems, summarize } = await import('../output/operations.ts')
    print(`  ${summarize(document)} --list prints them.\n`)
    for (const line of describeProblems(document)) print(`  ${paint.yellow(line)}`)
  }
  for (const line of skipped) print(`  ${toPrintable(line)}\n`)
  if (config.open) void openInBrowser(homeOf(serving.url, token), printError)
  const report = (problem: Diagnostic): void => printError(describeProblem(problem, errorPaint))
  const findInvalid = createInvalidRecords(mock)
  // The validations run one after the other, so that each reports only records that earlier ones have not reported.
  let validated = Promise.resolve()
  const reportInvalid = (names?: ReadonlySet<string>): void => {
    validated = validated.then(async () => (await findInvalid(names)).forEach(report))
    validated = validated.catch((error: unknown) => printError(toPrintableLines(toMessage(error))))
  }
  reportInvalid()
  const types = createGeneratedFiles(session)
  types?.update()
  const watching =
    config.watch === false
      ? undefined
      : await watch(mock, undefined, {
          onProblem: report,
          onChange(change) {
            describeChange(change, paint).forEach(print)
            reportInvalid(namesOf(change))
            types?.update()
          },
        })
  return async () => {
    keys.close()
    await watching?.close()
    await validated
    await types?.close()
  }
}

/** The resources whose records or schema a change concerns. */
function namesOf({ changed, rules }: WatchedChange): ReadonlySet<string> {
  return new Set([...changed, ...rules.map((rule) => rule.replace(/\.schema$/, ''))])
}

/** The most resources that a line about a change names: a switch of branches can change thousands. */
const MAX_NAMES = 20

/** One line for each change; names and ids are data, so their control characters are escaped. */
function describeChange(change: WatchedChange, { green, yellow }: Paint): string[] {
  const { changed, removed, resolved, conflicts, rules } = change
  const list = (names: readonly string[]): string => listSome(names.map(toPrintable), MAX_NAMES)
  return [
    ...resolved.map((file) => green(`Fixed: ${toPrintable(file)} is served again.`)),
    ...(changed.length > 0 ? [green(`Reloaded: ${list(changed)}`)] : []),
    ...(rules.length > 0 ? [green(`Reloaded: ${list(rules)}`)] : []),
    ...(removed.length > 0 ? [yellow(`Removed: ${list(removed)}`)] : []),
    ...conflicts.map((conflict) =>
      yellow(
        `Conflict: the file and requests changed ${toPrintable(pathOf(conflict))}; the file's version is served.`,
      ),
    ),
  ]
}

/**
 * Creates the writer of the generated files that a running server keeps up to date: TypeScript types (`--types`), and
 * JSON Schemas for editors, if there are some. Returns undefined without either.
 */
function createGeneratedFiles(session: Session): GeneratedFiles | undefined {
  const { mock, config, terminal, print, printError } = session
  const { types: path } = config
  const hasEditor = existsSync(join(config.cwd, EDITOR_FOLDER))
  if (path === undefined && !hasEditor) return undefined
  const { paint, errorPaint } = terminal
  const { cwd, persist = false } = config
  // The modules are imported here, as servers without such files start faster without them.
  const writer = loadWriter()
  let updates: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function loadWriter(): Promise<() => Promise<string[]>> {
    const { createTypesText, writeGenerated } = await import('../../load/generated-file.ts')
    const { createEditorFiles } = await import('../../load/editor-files.ts')
    const toText = createTypesText(mock)
    const writeEditor = createEditorFiles(mock, config)
    return async () => {
      const isWritten = path !== undefined && (await writeGenerated(path, toText(), cwd))
      // The schemas change with nearly every edit, which is no news.
      if (hasEditor) await writeEditor()
      return isWritten ? [path] : []
    }
  }

  async function write(): Promise<void> {
    try {
      const writeTypes = await writer
      for (const one of await writeTypes())
        print(paint.green(`Wrote: ${toPrintable(toLabel(one, cwd))}`))
    } catch (error) {
      printError(errorPaint.red(toPrintableLines(toMessage(error))))
    }
  }

  function update(): void {
    timer = undefined
    updates = updates.then(write)
  }

  const unsubscribe = persist
    ? internalsOf(mock).store.changes.subscribe(
        () => (timer ??= setTimeout(update, untilPersisted).unref()),
      )
    : undefined
  return {
    update,
    close() {
      unsubscribe?.()
      clearTimeout(timer)
      return updates
    },
  }
}

/** The writer of the files; see {@link createGeneratedFiles}. */
interface GeneratedFiles {
  /** Writes the files that have changed. A failure is printed, and the server goes on. */
  update(): void
  /** Ends the updates, and resolves when the last one is finished. */
  close(): Promise<void>
}

/** The time after which a persisted change of a request is in its fixture file, in milliseconds. */
const untilPersisted = 2_000
