import { type Check, checkOptions, isCallable } from '../core/errors/check.ts'
import type { AnyResource } from '../core/types/db-types.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import { loadFixtures, type LoadResult } from '../loader/load.ts'
import type { Report } from '../loader/persist/persist.ts'
import { createFileSource, type FileSource } from '../loader/watch/file-source.ts'
import { createMock, type Mock } from '../faces/fetch/create-mock.ts'
import { findUnknown } from './check-names.ts'
import { toMockConfig } from './config/file-config.ts'
import type { FolderRules } from './folder-behaviours.ts'
import { prepareFixtures, startPersisting } from './persist.ts'
import { type LoadFrom, resolveConfig, type ResolvedConfig } from './config/resolve-config.ts'
import { simulate } from './resolve-behaviours.ts'
import { throwErrors } from './throw-errors.ts'

/** A mock with the files it was loaded from. */
export interface Loaded<Data = Record<string, AnyResource>> {
  mock: Mock<Data>
  config: ResolvedConfig
  /** The source that the mock follows. */
  source: FileSource
  rules: FolderRules
}

/** What loading tells besides its result. */
export interface LoadMockOptions {
  /** Hears of every problem, of warnings too. */
  onProblem?(problem: Diagnostic): void
  /** Hears of every file that could not be written, and now can. */
  onMended?(file: string): void
}

/**
 * Loads a mock from folders, from files named by hand, or as a configuration says. Without any, from
 * `mock.config.*`, else `fixtures/`, else `db.json`.
 * @throws MockError with file, line, column and code frame of everything that could not be served
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

const optionChecks: Readonly<Record<keyof LoadMockOptions, Check>> = {
  onProblem: isCallable,
  onMended: isCallable,
}

/** What may be looked for besides what every load finds. */
interface Thorough {
  check?(files: LoadResult, id: ResolvedConfig['id']): Promise<Diagnostic[]>
}

/** The same from a configuration that is complete, with the files behind it. */
export async function loadFrom<Data = Record<string, AnyResource>>(
  config: ResolvedConfig,
  { onProblem, onMended, check }: LoadMockOptions & Thorough = {},
): Promise<Loaded<Data>> {
  const { fixtures, cwd, id, relations } = config
  const tell = (problem: Diagnostic): void => onProblem?.(problem)
  const prepared = await prepareFixtures(config)
  try {
    const [files, mockConfig] = await Promise.all([
      loadFixtures(fixtures, { cwd, id, relations }),
      toMockConfig(config),
    ])
    const problems = [
      ...prepared.problems,
      ...files.diagnostics,
      ...findUnknown(
        config,
        files.sources.map(({ name }) => name),
      ),
      ...((await check?.(files, id)) ?? []),
    ]
    problems.forEach(tell)
    throwErrors(problems)
    const { use, rules } = await simulate(config, files)
    const source = createFileSource(fixtures, files, {
      cwd,
      id,
      fallback: ({ reported }) => reported.forEach(tell),
    })
    const options = { ...mockConfig, use, fixtures: source }
    const mock = createMock(options) as unknown as Mock<Data>
    if (config.persist) {
      const report = ({ reported, resolved }: Report): void => {
        reported.forEach(tell)
        resolved.forEach((file) => onMended?.(file))
      }
      mock.background = startPersisting(mock, source, prepared, report)
    }
    const loaded = { mock, config, source, rules }
    loads.set(mock, loaded)
    return loaded
  } catch (error) {
    await prepared.release()
    throw error
  }
}

/** The files that a mock was loaded from, or undefined where it was made another way. */
export function filesOf(mock: object): Loaded<unknown> | undefined {
  return loads.get(mock)
}

const loads = new WeakMap<object, Loaded<unknown>>()
