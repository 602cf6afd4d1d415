import { MockError } from '../../core/errors/mock-error.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { keepChanges } from '../../core/mock/keep-changes.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'
import type { ReplaceableServing } from '../../faces/node/serve.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { readServeOptions, type ServedMock } from './serve-fixtures.ts'

/** A mock and the configuration that it was loaded with. */
export interface Configured {
  mock: ServedMock
  config: ResolvedConfig
}

/**
 * Lets a server go on with a new configuration: loads its mock, which keeps what requests did to the data, while
 * new requests wait. Goes on with the old configuration if the new one cannot be loaded.
 * @throws the error of the server or, with `persist`, of fixtures that cannot be loaded with either configuration
 */
export async function replaceMock(
  serving: ReplaceableServing,
  old: Configured,
  config: ResolvedConfig,
  load: (config: ResolvedConfig) => Promise<ServedMock | undefined>,
): Promise<Replaced> {
  let failure: unknown
  let current = old
  const { persist } = old.config
  const open = async (next: ResolvedConfig): Promise<Opened | undefined> => {
    const mock = await load(next)
    if (!mock) return undefined
    if (!persist) keepChanges(internalsOf(old.mock).store, internalsOf(mock).store)
    return { mock, config: next, options: await readServeOptions(next) }
  }
  const url = await serving.replace(async (finish) => {
    // The files have the writes of requests, and are unlocked, before they are loaded again.
    if (persist) await finish().catch(ignoreUnsaved)
    const next = await open(config).catch((error: unknown) => void (failure = error))
    if (next && !persist) await finish()
    const opened = next ?? (await (persist ? open(old.config) : toOpened(old)))
    if (!opened) throw failure ?? unloadable()
    current = { mock: opened.mock, config: opened.config }
    return opened
  })
  return { current, url, failure, isReplaced: current.config === config }
}

/** A mock that was loaded, and the options of its server. */
interface Opened extends Configured {
  options: ServeOptions
}

async function toOpened(old: Configured): Promise<Opened> {
  return { ...old, options: await readServeOptions(old.config) }
}

/** The result of {@link replaceMock}. */
export interface Replaced {
  current: Configured
  url: string
  /** The error of the new configuration; undefined also if the fixtures are invalid, which was reported. */
  failure: unknown
  isReplaced: boolean
}

/** `onProblem` has reported the writes that the files do not have; they are in the journal. */
function ignoreUnsaved(error: unknown): void {
  if (!(error instanceof MockError && error.code === 'WRITES_UNSAVED')) throw error
}

/** The error for fixtures that are invalid, which `onProblem` has reported. */
function unloadable(): MockError {
  return new MockError(
    'Failed to load the fixtures again: they are invalid. Please correct them, and start the server again.',
    { code: 'FIXTURES_INVALID' },
  )
}
