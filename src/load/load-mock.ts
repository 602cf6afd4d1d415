import { type Check, checkOptions, isCallable } from '../core/errors/check.ts'
import type { OpenApiSource, SourceConfig } from '../core/dialects/contract/openapi-source.ts'
import type { AnyResource } from '../core/types/db-types.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import { loadFixtures, type LoadResult } from '../loader/load.ts'
import { toEditProblem } from '../loader/persist/persist-problem.ts'
import { findUnsaved } from '../loader/persist/recover.ts'
import type { SaveRecords } from '../loader/persist/save-records.ts'
import {
  createFileSource,
  type FileListener,
  type FileSource,
} from '../loader/watch/file-source.ts'
import { internalsOf } from '../core/http/contract/internals.ts'
import { createIntake } from '../core/mock/intake.ts'
import { createMock, type Mock } from '../faces/fetch/create-mock.ts'
import { toMockConfig } from './config/check-config.ts'
import type { FolderBehaviours } from './folder-behaviours.ts'
import { type LoadFrom, resolveConfig, type ResolvedConfig } from './config/resolve-config.ts'
import { resolveBehaviours } from './resolve-behaviours.ts'
import type { Rewrites } from './rewrites.ts'
import { throwErrors } from '../loader/check/diagnose.ts'
import type { FileConfig } from '../core/mock/file-config.ts'
import { isRecord } from '../core/json/json.ts'
import { toRelation } from '../core/fixtures/relation-options.ts'
import { suggest } from '../core/errors/nearest.ts'

/**
 * Loads a mock from fixture folders and database files, or from a configuration. Without an argument, loads
 * from `mock.config.*`, or otherwise from `fixtures/` or `db.json`.
 * @throws MockError with file, line, column and code frame of every error in the fixtures
 * @example const mock = await loadMock('fixtures')
 */
export async function loadMock<Data = Record<string, AnyResource>>(
  from?: LoadFrom,
  options: LoadMockOptions = {},
): Promise<Mock<Data>> {
  checkOptions('the options of loadMock', options, optionChecks)
  const config = await resolveConfig(from)
  const { mock } = await loadFrom<Data>(config, options)
  return mock
}

/** Loads a mock from a resolved configuration. Returns the mock with its configuration, files and behaviours. */
export async function loadFrom<Data = Record<string, AnyResource>>(
  config: ResolvedConfig,
  { onProblem, onMended, check, toleratesEmpty }: LoadMockOptions & CheckOption = {},
): Promise<Loaded<Data>> {
  const { fixtures, cwd, relations, foreignKeySuffix } = config
  const report = (problem: Diagnostic): void => onProblem?.(problem)
  // Most servers do not persist, and start sooner without the code for it.
  const persist = config.persist ? await import('./persist.ts') : undefined
  const prepared = await persist?.prepareFixtures(config)
  try {
    const openapi = await loadDocument(config)
    const { id } = openapi?.configure<SourceConfig>(pickId(config)) ?? config
    const [unsaved, files, mockConfig] = await Promise.all([
      prepared?.problems ?? findUnsaved(fixtures, { cwd }),
      loadFixtures(fixtures, { cwd, id, relations, foreignKeySuffix }),
      toMockConfig(openapi ? { ...config, openapi } : config),
    ])
    const problems = [
      ...unsaved,
      ...files.diagnostics,
      ...findUnknownNames(
        config,
        files.sources.map(({ name }) => name),
      ),
      ...((await check?.(files, config)) ?? []),
    ]
    problems.forEach(report)
    throwErrors(problems, { toleratesEmpty })
    const warn = (message: string): void =>
      report({ severity: 'warning', file: fixtures.join(', '), message })
    const resolved = await resolveBehaviours(config, files, cwd, warn, mockConfig.dialect)
    const { use, fromFolders, rewrites, recordings } = resolved
    const defaultListener = createDefaultListener(report)
    const source = createFileSource(fixtures, files, { cwd, id, defaultListener })
    const options = { ...mockConfig, use, fixtures: source }
    const mock = createMock(options) as unknown as Mock<Data>
    const internals = internalsOf(mock)
    internals.problems = {
      list: () => source.scanner.current().diagnostics,
      subscribe: (listener) => source.subscribe(listener),
    }
    if (persist && prepared) {
      internals.background = persist.startPersisting(internals, source, prepared, (news) => {
        news.reported.forEach(report)
        news.resolved.forEach((file) => onMended?.(file))
      })
    } else {
      let saver: Promise<SaveRecords> | undefined
      internals.saveFixture = async (name, edits) => {
        saver ??= importSaver(source, id)
        return (await saver)(name, edits)
      }
      // Proxies record only without `persist`.
      if (recordings.length > 0) {
        const finish = async (): Promise<void> =>
          void (await Promise.all(recordings.map((one) => one.finish())))
        internals.background = { settled: () => undefined, finish }
      }
      for (const recording of recordings) recording.follow(source)
    }
    const loaded = { mock, config, source, fromFolders, rewrites, openapi }
    loads.set(mock, loaded)
    return loaded
  } catch (error) {
    await prepared?.lock.release()
    throw error
  }
}

/** Loads the OpenAPI document of a configuration; the code for documents is imported for them alone. */
export async function loadDocument(config: ResolvedConfig): Promise<OpenApiSource | undefined> {
  const { openapi } = config
  if (typeof openapi !== 'string') return openapi
  const { loadOpenApi } = await import('./load-openapi.ts')
  return loadOpenApi(openapi, config)
}

function pickId({ id }: ResolvedConfig): SourceConfig {
  return id === undefined ? {} : { id }
}

/** A mock that was loaded from files, with what `watch` needs to apply later changes of the files. */
export interface Loaded<Data = Record<string, AnyResource>> {
  mock: Mock<Data>
  config: ResolvedConfig
  /** The source that the mock follows. */
  source: FileSource
  fromFolders: FolderBehaviours
  rewrites: Rewrites | undefined
  openapi: OpenApiSource | undefined
}

/** The callbacks of {@link loadMock}. */
export interface LoadMockOptions {
  /** Is called with every problem, warnings included. */
  onProblem?(problem: Diagnostic): void
  /** Is called with every file that could not be written before, and can be now. */
  onMended?(file: string): void
}

const optionChecks: Readonly<Record<keyof LoadMockOptions, Check>> = {
  onProblem: isCallable,
  onMended: isCallable,
}

interface CheckOption {
  /** Whether to start with empty files, whose resources follow once the files hold data. */
  toleratesEmpty?: boolean
  /** Finds problems that a load does not look for. */
  check?(files: LoadResult, config: ResolvedConfig): Promise<Diagnostic[]>
}

/** Creates the listener that reports the problems of changed files, and replaced changes of requests, while nobody watches. */
function createDefaultListener(report: (problem: Diagnostic) => void): FileListener {
  return ({ reported, current }, conflicts) => {
    reported.forEach(report)
    const labels = new Map(current.sources.map(({ name, file }) => [name, file]))
    for (const conflict of conflicts) {
      report(toEditProblem(labels.get(conflict.collection) ?? conflict.collection, conflict))
    }
  }
}

/** Imports the code that saves records to fixture files, which most servers never run. */
async function importSaver(
  { scanner }: FileSource,
  id: ResolvedConfig['id'],
): Promise<SaveRecords> {
  const { createRecordSaver } = await import('../loader/persist/save-records.ts')
  return createRecordSaver(scanner, createIntake(id).idsOf)
}

/** The files that a mock was loaded from; undefined for a mock that was not loaded. */
export function filesOf(mock: object): Loaded<unknown> | undefined {
  return loads.get(mock)
}

/** By mock: the type `Mock` has no room for files. */
const loads = new WeakMap<object, Loaded<unknown>>()

/** Warns of options that name no resource: no error, as the file of the resource can be added later. */
export function findUnknownNames(config: FileConfig, known: readonly string[]): Diagnostic[] {
  // Views are no fixtures, and other names in `resources` are errors.
  const named = [...known, ...Object.keys(config.resources ?? {})]
  return Object.entries(namesByOption).flatMap(([option, namesOf]) => {
    const names = new Set(namesOf(config).filter((name) => !named.includes(name)))
    return [...names].map((name) => ({
      severity: 'warning' as const,
      file: 'the configuration',
      message: `Failed to find "${name}", which the option "${option}" names: there is no such resource.`,
      advice: suggest(name, known),
    }))
  })
}

const namesByOption: Record<string, (config: FileConfig) => string[]> = {
  id: ({ id }) => namesIn(id),
  relations: ({ relations = {} }) => [
    ...Object.keys(relations),
    ...Object.values(relations).flatMap((keys) =>
      Object.values(keys).map((one) => toRelation(one).to),
    ),
  ],
  cacheControl: ({ cacheControl }) => namesIn(cacheControl),
  preconditions: ({ preconditions }) => (Array.isArray(preconditions) ? preconditions : []),
}

/** The keys of an option that may be set by resource; `default` is the key for all others. */
function namesIn(option: unknown): string[] {
  return isRecord(option) ? Object.keys(option).filter((name) => name !== 'default') : []
}
