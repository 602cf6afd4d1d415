import { MockError } from '../core/errors/mock-error.ts'
import type { Background } from '../core/http/contract/answerer.ts'
import type { CoreMock } from '../core/mock/core-mock.ts'
import type { Intake } from '../core/fixtures/fixture-data.ts'
import { toPersistentData } from '../core/mock/persistent-data.ts'
import { createIntake } from '../core/mock/intake.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import { lockFixtures, type Lock } from '../loader/persist/lock.ts'
import { createPersister, type Report } from '../loader/persist/persist.ts'
import { findUnsaved, recoverFixtures } from '../loader/persist/recover.ts'
import type { FileSource } from '../loader/watch/file-source.ts'
import { toDialect } from './config/file-config.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'

/** The right to write fixtures, with everything in them that was written before. */
export interface Prepared {
  problems: Diagnostic[]
  intake: Intake
  release(): Promise<void>
}

/**
 * Gets fixtures ready for being loaded: what a killed process left is brought in, or only told of where
 * nothing is to be written.
 * @throws MockError when another process writes them
 */
export async function prepareFixtures(config: ResolvedConfig): Promise<Prepared> {
  const { fixtures, cwd, id, persist, dialect } = config
  if (!persist) {
    const problems = await findUnsaved(fixtures, { cwd, id })
    return { problems, intake: createIntake(id), release: async () => {} }
  }
  const intake = createIntake(id, await toDialect(dialect))
  const lock = await tryLock(fixtures, cwd)
  try {
    const problems = await recoverFixtures(fixtures, { cwd, id, intake })
    return { problems, intake, release: async () => lock?.release() }
  } catch (error) {
    await lock?.release()
    throw error
  }
}

/** Keeps what requests write in the files that the mock was loaded from. */
export function startPersisting(
  mock: CoreMock,
  { scanner }: Pick<FileSource, 'scanner'>,
  { intake, release }: Prepared,
  report: (news: Report) => void,
): Background {
  const { subscribe, keepOnReset, ...data } = toPersistentData(mock.store)
  const persister = createPersister({ scanner, data: { ...data, idsOf: intake.idsOf }, report })
  keepOnReset(persister.keeps)
  subscribe(persister.record)
  return {
    settled: persister.settled,
    async finish() {
      await persister.close()
      await release()
    },
  }
}

/** A folder that cannot be written has nothing to be locked; the first write tells. */
async function tryLock(paths: readonly string[], cwd: string): Promise<Lock | undefined> {
  try {
    return await lockFixtures(paths, cwd)
  } catch (error) {
    if (error instanceof MockError) throw error
    return undefined
  }
}
