import type { Proxy } from '../core/behaviours/proxy/proxy.ts'
import type { Dialect } from '../core/dialects/contract/dialect.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import type { LoadResult } from '../loader/load.ts'
import { createFolderBehaviours, type FolderBehaviours, isScenarios } from './folder-behaviours.ts'
import type { FileConfig } from '../core/mock/file-config.ts'
import type { RecordedProxy } from './record-proxies.ts'
import { createRecordedAnswers } from './recorded-answers.ts'
import { createRewrites, type Rewrites } from './rewrites.ts'

/**
 * Adds the behaviours of options and of folders to those of `use`; an option replaces a behaviour of its name.
 * `routes` is relative to `cwd`. Imports only the modules that the configuration needs.
 * @throws MockError when an option is wrong
 */
export async function resolveBehaviours(
  config: FileConfig,
  files: LoadResult,
  cwd: string,
  onProblem: (message: string) => void = () => undefined,
  dialect?: Dialect,
): Promise<ResolvedBehaviours> {
  const { routes, delay, sessionTtl } = config
  // Another mock may use the same behaviours with other folders.
  const use = (config.use ?? []).map((one) => (isScenarios(one) ? one.copy() : one))
  const fromFolders = await createFolderBehaviours(files, { ...config, use })
  const rewrites = routes === undefined ? undefined : await createRewrites(routes, cwd)
  const fromOptions: Behaviour[] = rewrites ? [rewrites.behaviour] : []
  if (delay !== undefined) {
    fromOptions.push((await import('../core/behaviours/delay.ts')).delay(delay))
  }
  if (sessionTtl !== undefined) {
    const { sessions } = await import('../core/behaviours/sessions.ts')
    fromOptions.push(sessions({ ttl: sessionTtl }))
  }
  const names = new Set(fromOptions.map(({ name }) => name))
  const rest = use.filter(({ name }) => !names.has(name))
  const recorded = await createRecordedAnswers([config.fixtures ?? []].flat(), cwd)
  const login = await loginOf(dialect, rest, files)
  const others = [...login, ...rest, ...fromFolders.behaviours]
  // A recorded answer comes before that of `auth` at the path of the user who asks.
  const first = others.findIndex(({ name }) => name === 'auth')
  const all = [
    ...fromOptions,
    ...others.toSpliced(first < 0 ? others.length : first, 0, ...recorded),
  ]
  return { ...(await withProxies(all, config, cwd, onProblem)), fromFolders, rewrites }
}

/** All behaviours of a loaded mock; `watch` updates those in `fromFolders`. */
export interface ResolvedBehaviours {
  use: Behaviour[]
  /** The behaviours among `use` that come from files in folders. */
  fromFolders: FolderBehaviours
  /** The rewrites of the option `routes`, also among `use`. */
  rewrites: Rewrites | undefined
  /** The recordings of proxies. */
  recordings: readonly RecordedProxy[]
}

/** The login that a dialect implies, which protects nothing, if the fixtures have users and `use` has no `auth`. */
async function loginOf(
  dialect: Dialect | undefined,
  use: readonly Behaviour[],
  { sources }: LoadResult,
): Promise<Behaviour[]> {
  const { users = 'users' } = dialect?.auth ?? {}
  const hasUsers = sources.some(({ name, value }) => name === users && Array.isArray(value))
  if (!dialect?.auth || !hasUsers || use.some(({ name }) => name === 'auth')) return []
  const { auth } = await import('../core/behaviours/auth/auth.ts')
  return [auth({ protect: [] })]
}

/** Puts proxies last, with the URL of the option `proxy`, and lets them send by `node:http` and record responses. */
async function withProxies(
  use: readonly Behaviour[],
  config: FileConfig,
  cwd: string,
  onProblem: (message: string) => void,
): Promise<Pick<ResolvedBehaviours, 'use' | 'recordings'>> {
  const { proxy: to, fixtures = [] } = config
  const given = use.filter(isProxy)
  if (given.length === 0 && to === undefined) return { use: [...use], recordings: [] }
  const { createProxy } = await import('../core/behaviours/proxy/proxy.ts')
  const { createForward } = await import('../proxy/forward.ts')
  const forward = createForward()
  const recordings: RecordedProxy[] = []
  const proxies: Behaviour[] = []
  for (const one of to === undefined ? given : [createProxy({ to })]) {
    const { recorded } = one
    if (recorded === undefined) proxies.push(one.withPlatform({ forward }))
    else {
      const { createProxyRecorder } = await import('./record-proxies.ts')
      const resolved = { ...config, fixtures: [fixtures].flat(), cwd }
      const recording = await createProxyRecorder(recorded, resolved, onProblem)
      recordings.push(recording)
      proxies.push(one.withPlatform({ forward, recorder: recording.recorder }), recording.answers)
    }
  }
  return { use: [...use.filter((one) => !isProxy(one)), ...proxies], recordings }
}

/** Whether a behaviour was created by `proxy`, also by that of another copy of the package. */
function isProxy(behaviour: Behaviour): behaviour is Proxy {
  return behaviour.name === 'proxy' && 'withPlatform' in behaviour
}
