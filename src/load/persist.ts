import { resolve } from 'node:path'
import { codeOf } from '../core/errors/error-details.ts'
import type { Background } from '../core/http/contract/answerer.ts'
import type { MockInternals } from '../core/http/contract/internals.ts'
import { toPersistentData } from '../core/mock/persistent-data.ts'
import { createIntake } from '../core/mock/intake.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { lockFixtures, type Lock } from '../loader/persist/lock.ts'
import { createUploadFolder } from '../loader/persist/upload-folder.ts'
import { createPersister } from '../loader/persist/persist.ts'
import { type Report, toPersistProblem } from '../loader/persist/persist-problem.ts'
import { recoverFixtures, recoverNewFile, type RecoverOptions } from '../loader/persist/recover.ts'
import type { FileSource } from '../loader/watch/file-source.ts'
import { throwErrors } from '../loader/check/diagnose.ts'
import { toDialect } from './config/check-config.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'

/** Locks the fixtures and recovers journals of killed processes. @throws MockError when another process has the lock */
export async function prepareFixtures(config: ResolvedConfig): Promise<Prepared> {
  const { fixtures, cwd, id, dialect } = config
  const options = { cwd, id, intake: createIntake(id, await toDialect(dialect)) }
  const lock = await lockFixtures(fixtures, cwd)
  try {
    const problems = await recoverFixtures(fixtures, options)
    return { problems: [...findRefusal(config, lock), ...problems], options, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Persists changes by requests. `finish` rejects with `WRITES_UNSAVED` if a file does not have all of them. */
export function startPersisting(
  mock: MockInternals,
  { scanner, files }: Pick<FileSource, 'scanner' | 'files'>,
  { options, lock }: Prepared,
  report: (news: Report) => void,
): Background {
  const { subscribe, keepOnReset, ...data } = toPersistentData(mock.store)
  const persister = createPersister({
    scanner,
    data: { ...data, idsOf: options.intake.idsOf },
    lock,
    cwd: options.cwd,
    recover: (file, findOwner) => recoverNewFile(file, findOwner, options),
    report,
  })
  keepOnReset(persister.persists)
  subscribe(persister.record)
  const uploads = createUploadFolder(scanner, lock.acquire, persister.settled)
  files.uploads = uploads
  return {
    settled: persister.settled,
    async finish() {
      const unwritten = await persister.close()
      uploads.close()
      await lock.release()
      throwErrors(unwritten, { code: 'WRITES_UNSAVED' })
    },
  }
}

/** The result of preparing fixtures for `persist`. */
export interface Prepared {
  /** The problems of recovering writes of a killed process. */
  problems: Diagnostic[]
  options: RecoverOptions
  /** The lock of the fixtures, which keeps other processes from writing the same files. */
  lock: Lock
}

/** The problem of fixtures that cannot be written, before the first write; missing fixtures are another problem. */
function findRefusal({ fixtures, cwd }: ResolvedConfig, { refusal }: Lock): Diagnostic[] {
  if (refusal === undefined || codeOf(refusal) === 'ENOENT') return []
  const labels = fixtures.map((path) => toLabel(resolve(cwd, path), cwd))
  return [{ ...toPersistProblem(labels.join('", "'), refusal), severity: 'warning' }]
}
