import { resolve } from 'node:path'
import { type Check, checkOptions, isCallable, isFlag, wrongValue } from '../core/errors/check.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Conflict } from '../core/fixtures/fixtures.ts'
import { isSame } from '../core/json/json.ts'
import type { AnyMock } from '../core/http/contract/any-mock.ts'
import { internalsOf } from '../core/http/contract/internals.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import { toMessage } from '../core/errors/error-details.ts'
import { formatDiagnostic } from '../loader/check/diagnose.ts'
import { loadFixtures, type LoadResult } from '../loader/load.ts'
import { createFileSource, type FileSource } from '../loader/watch/file-source.ts'
import { emitWarning, watchFile } from '../loader/watch/folder-events.ts'
import { watchFiles } from '../loader/watch/watch-files.ts'
import { filesOf, type Loaded } from './load-mock.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'
import { isPaths } from '../faces/node/serve-checks.ts'

/**
 * Watches folders and files, and lets the mock take over their changes. The paths default to the paths
 * that the mock was loaded from. Resolves when no later save can be missed.
 * @throws MockError when there are no paths to watch, or an argument is wrong
 * @example const { close } = await watch(mock, ['fixtures'])
 */
export async function watch(
  mock: AnyMock,
  paths?: string | readonly string[],
  options: WatchOptions = {},
): Promise<Watching> {
  const { follow } = internalsOf(mock, 'the mock to watch')
  checkOptions('the options of watch', options, optionChecks)
  if (paths !== undefined && !isPaths[0](paths))
    throw wrongValue('the paths to watch', paths, isPaths[1])
  const loaded = filesOf(mock)
  const { cwd = process.cwd(), ...config } = loaded?.config ?? {}
  const { poll = loaded?.config.poll, onProblem = warn, onChange } = options
  const named = typeof paths === 'string' ? [paths] : paths
  const list = named?.map((path) => resolve(cwd, path)) ?? loaded?.config.fixtures
  if (!list) throw nothingToWatch()
  const own = isSame(list, loaded?.config.fixtures) ? loaded : undefined
  const source = own?.source ?? (await openSource(list, { ...config, cwd }))
  const updateRules = async (current: LoadResult): Promise<void> => {
    const rules = await own?.fromFolders.update(current).catch((error: unknown) => {
      onProblem({ severity: 'error', file: list.join(', '), message: toMessage(error) })
    })
    if (rules && rules.length > 0) onChange?.({ ...noChange, rules })
  }
  let updated = Promise.resolve()
  const removeListener = source.onChange((change, conflicts) => {
    const { sources, removed, reported, resolved, current } = change
    updated = updated.then(() => updateRules(current)).catch(emitWarning)
    for (const problem of reported) onProblem(problem)
    if (sources.length + removed.length + resolved.length === 0) return
    const changed = sources.map(({ name }) => name)
    onChange?.({ changed, removed, resolved, conflicts, rules: [] })
  })
  if (!own) {
    follow(source)
    source.publishAll()
  }
  const stop = await watchFiles(source.scanner, list, { cwd, poll, onProblem })
  const stopRules = own && (await watchRules(own, { ...options, onProblem }, poll))
  return {
    async close() {
      await stop()
      await stopRules?.()
      removeListener()
      await updated
    },
  }
}

/** Whether to poll the disk, and the callbacks for changed files and for problems in them. */
export interface WatchOptions {
  /** Scan every 100 ms instead of listening to events, as network drives need. @default the option of the mock's configuration, else false */
  poll?: boolean
  /** Called with each new or changed problem; the last good data stays. @default emits a warning of the process */
  onProblem?(problem: Diagnostic): void
  /** Is called with each change after the mock has taken it over. */
  onChange?(change: WatchedChange): void
}

/** A change in the files that a mock has taken over. */
export interface WatchedChange {
  /** The resources that are new or have other content. */
  changed: string[]
  /** The resources that are gone. */
  removed: string[]
  /** The files that had an error and have none now. */
  resolved: string[]
  /** The records where the file replaced changes by requests. */
  conflicts: Conflict[]
  /** The schemas, scenarios and rewrites that have changed: `posts.schema`, `_scenarios/empty`, `routes.json`. */
  rules: string[]
}

/** A running watch. */
export interface Watching {
  /** Stops watching; nothing is taken over after it resolves. */
  close(): Promise<void>
}

function warn(problem: Diagnostic): void {
  emitWarning(formatDiagnostic(problem))
}

const optionChecks: Readonly<Record<keyof WatchOptions, Check>> = {
  poll: isFlag,
  onProblem: isCallable,
  onChange: isCallable,
}

const noChange: WatchedChange = { changed: [], removed: [], resolved: [], conflicts: [], rules: [] }

async function watchRules(
  { rewrites }: Pick<Loaded<unknown>, 'rewrites'>,
  { onProblem, onChange }: WatchOptions,
  poll: boolean | undefined,
): Promise<(() => Promise<void>) | undefined> {
  const file = rewrites?.file
  if (!file) return undefined
  const { path, label, reload } = file
  const update = async (): Promise<void> => {
    try {
      if (await reload()) onChange?.({ ...noChange, rules: [label] })
    } catch (error) {
      onProblem?.({ severity: 'error', file: label, message: toMessage(error) })
    }
  }
  return watchFile(path, update, poll)
}

async function openSource(
  paths: readonly string[],
  options: Pick<ResolvedConfig, 'cwd' | 'id'>,
): Promise<FileSource> {
  return createFileSource(paths, await loadFixtures(paths, options), options)
}

function nothingToWatch(): MockError {
  return new MockError(
    'Failed to watch: the mock was not loaded from files. Please name the paths to watch.',
    { code: 'FIXTURES_MISSING' },
  )
}
