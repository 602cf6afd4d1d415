import type { Behaviour } from '../core/http/contract/behaviour.ts'
import type { LoadResult } from '../loader/load.ts'
import { createFolderRules, type FolderRules } from './folder-behaviours.ts'
import type { FileConfig } from '../core/mock/file-config.ts'

/** The behaviours of a loaded mock, and what its folders say about them. */
export interface Simulation {
  use: Behaviour[]
  rules: FolderRules
}

/**
 * Adds to the behaviours of `use` what single options and the folders ask for. An option takes the
 * place of a behaviour of its name. Each is loaded when it is asked for.
 * @throws MockError when an option is wrong
 */
export async function simulate(config: FileConfig, files: LoadResult): Promise<Simulation> {
  const { use = [], delay, sessionTtl } = config
  const rules = await createFolderRules(files, config)
  const asked: Behaviour[] = []
  if (delay !== undefined) {
    asked.push((await import('../core/behaviours/delay.ts')).delay(delay))
  }
  if (sessionTtl !== undefined) {
    const { sessions } = await import('../core/behaviours/sessions.ts')
    asked.push(sessions({ ttl: sessionTtl }))
  }
  const names = new Set(asked.map(({ name }) => name))
  const rest = use.filter(({ name }) => !names.has(name))
  return { use: [...asked, ...rest, ...rules.behaviours], rules }
}
