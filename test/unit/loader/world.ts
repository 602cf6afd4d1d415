import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { onTestFinished, vi } from 'vitest'

import type { Json } from '../../../src/core/json/json.ts'
import { createRandom } from '../../../src/core/time/random.ts'
import type { Diagnostic } from '../../../src/core/fixtures/source.ts'
import { createStore, type Store } from '../../../src/core/store/store.ts'
import { toPersistentData } from '../../../src/core/mock/persistent-data.ts'
import { createIntake } from '../../../src/core/mock/intake.ts'
import { loadFixtures } from '../../../src/loader/load.ts'
import type { Lock } from '../../../src/loader/persist/lock.ts'
import { createPersister, type Persister } from '../../../src/loader/persist/persist.ts'
import { recoverFixtures, recoverNewFile } from '../../../src/loader/persist/recover.ts'
import { createScanner, type Scanner } from '../../../src/loader/watch/scanner.ts'
import { createFolder } from './folder.ts'

/** A store whose changes are written to the fixture files that it was loaded from. */
export interface World {
  cwd: string
  store: Store
  scanner: Scanner
  persister: Persister
  /** All reported problems, oldest first. */
  reported: Diagnostic[]
  resolved: string[]
  recovered: Diagnostic[]
  /** The current text of a file. */
  text(name: string): string
  /** The current JSON value of a file. */
  json(name: string): unknown
  /** Copies all files to a new folder, as a process that is killed now would leave them. */
  kill(): Promise<string>
}

/** A lock that is always held. */
const noLock: Pick<Lock, 'acquire'> = { acquire: () => undefined }

/** Loads fixtures into a store without watching them. Files are written on `flush`, or after `pause` ms. */
export async function openWorld(
  cwd: string,
  paths: string[] = ['f'],
  pause = 1_000_000,
): Promise<World> {
  const intake = createIntake(undefined)
  const recovered = await recoverFixtures(paths, { cwd, intake })
  const loaded = await loadFixtures(paths, { cwd })
  const fixtures = new Map(loaded.sources.map(({ name, value }): [string, Json] => [name, value]))
  const store = createStore(
    fixtures,
    { idField: () => 'id', onFailure: fail },
    createRandom('test'),
  )
  const reported: Diagnostic[] = []
  const resolved: string[] = []
  const scanner = createScanner(
    paths,
    loaded,
    (change) => {
      reported.push(...change.reported)
      resolved.push(...change.resolved)
      for (const { name, value } of change.sources) store.reload(name, value)
      for (const name of change.removed) store.reload(name, undefined)
    },
    { cwd },
  )
  const { subscribe, keepOnReset, ...data } = toPersistentData(store)
  const persister = createPersister({
    scanner,
    data: { ...data, idsOf: intake.idsOf },
    lock: noLock,
    cwd,
    recover: (file, findOwner) => recoverNewFile(file, findOwner, { cwd, intake }),
    pause,
    report(report) {
      reported.push(...report.reported)
      resolved.push(...report.resolved)
    },
  })
  keepOnReset(() => true)
  subscribe(persister.record)
  onTestFinished(async () => void (await persister.close()))
  return {
    cwd,
    store,
    scanner,
    persister,
    reported,
    resolved,
    recovered,
    text: (name) => readFileSync(join(cwd, name), 'utf8'),
    json: (name) => JSON.parse(readFileSync(join(cwd, name), 'utf8')),
    async kill() {
      await persister.settled()
      const copy = createFolder()
      // Without the lock of this process, which is alive.
      cpSync(cwd, copy, { recursive: true, filter: (path) => basename(path) !== 'lock' })
      return copy
    },
  }
}

/** Scans until nothing waits; each scan runs as if the disk had been quiet for a second. */
export async function settle(scanner: Scanner): Promise<void> {
  const now = performance.now.bind(performance)
  let passed = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  try {
    do passed += 1000
    while ((await scanner.scan()) !== undefined)
  } finally {
    clock.mockRestore()
  }
}

/** The names of everything in a folder and below it. */
export function listAll(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => name.replaceAll('\\', '/')).sort()
}

function fail(error: unknown): never {
  throw error as Error
}
