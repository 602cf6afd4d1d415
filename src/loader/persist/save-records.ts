import { realpathSync, renameSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import type { RecordEdits } from '../../core/fixtures/record-edits.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import { digest } from '../read/digest.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { isSameStamp, toStamp } from '../read/stamp.ts'
import type { Scanner } from '../watch/scanner.ts'
import { toFileValue, toFixtureText } from './file-value.ts'
import { isWritable } from './find-states.ts'
import { toPersistProblem } from './persist-problem.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { removeIfEmpty, statePathsOf } from './state-folder.ts'
import { writeTempFile } from './temp-file.ts'

/** Writes changed, added and removed records to the fixture file of a resource. */
export type SaveRecords = (name: string, edits: RecordEdits) => Promise<void>

/**
 * Creates a function that writes changed, added and removed records to the fixture file of a resource when called;
 * `--persist` writes after every change. The file is replaced atomically and keeps its layout; the mock takes over
 * the new content before the function resolves.
 */
export function createRecordSaver(scanner: Scanner, idsOf: IdsOf): SaveRecords {
  return async (name, edits) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Edits by other programs are taken over first.
      await scanner.scan()
      const isWritten = await scanner.exclusive(async () => {
        const found = find(scanner, name)
        return write(found, edits, idsOf).catch((error: unknown) => {
          throw toSaveError(found.file.label, error)
        })
      })
      await scanner.scan()
      if (isWritten) return
    }
    throw failed(name, 'another program keeps changing its file', 'Please try again.')
  }
}

/** How many times a file that other programs change in the meantime is read again. */
const ATTEMPTS = 5

interface Found {
  file: LoadedFile
  source: Source
}

/** The file of a resource. @throws MockError 409 when there is none that can be written */
function find(scanner: Scanner, name: string): Found {
  const { files, sources } = scanner.current()
  const source = sources.find((one) => one.name === name)
  const file = [...files.values()].find((one) => source && one.sources.includes(source))
  if (!source || !file) {
    throw failed(name, 'no file defines it', 'Please add a file for it to the fixtures.')
  }
  if (!isWritable(file))
    throw failed(
      name,
      `the data that "${file.label}" exports cannot be written back`,
      'Please edit it.',
    )
  if (file.diagnostics.some(isError))
    throw failed(name, `"${file.label}" has an error`, 'Please correct it first.')
  return { file, source }
}

/** Turns an error of the file system into a MockError 409; returns any other error unchanged. */
function toSaveError(label: string, cause: unknown): unknown {
  if (cause instanceof MockError || codeOf(cause) === '') return cause
  const { message, advice } = toPersistProblem(label, cause, '.')
  return new MockError(`${message} ${advice}`, {
    status: 409,
    code: 'FIXTURES_UNWRITABLE',
    cause,
  })
}

function failed(name: string, reason: string, advice: string): MockError {
  return new MockError(`Failed to save "${name}" to the fixtures: ${reason}. ${advice}`, {
    status: 409,
    code: 'FIXTURES_UNWRITABLE',
  })
}

/** Writes the file; false if another program has changed it since the scan. */
async function write({ file, source }: Found, edits: RecordEdits, idsOf: IdsOf): Promise<boolean> {
  const { path } = file
  const stats = statSync(path, { throwIfNoEntry: false })
  const bytes = stats && (await readFile(path))
  if (!stats || !bytes || digest(bytes) !== file.content.hash()) return false
  const value = applyEdits(source, edits, idsOf)
  const sources = file.sources.map((one) => (one === source ? { ...one, value } : one))
  const text = toFixtureText(file, bytes.toString(), idsOf)
  if (!text.update(toFileValue(file, sources))) return true
  const real = realpathSync(path)
  const paths = statePathsOf(real)
  await writeTempFile(paths, text.pieces(), stats)
  const isReplaced = await retryOnWindows(() => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (!now || !isSameStamp(toStamp(now), toStamp(stats))) return false
    renameSync(paths.temp, real)
    return true
  })
  if (!isReplaced) await rm(paths.temp, { force: true })
  await removeIfEmpty(paths.folder)
  return isReplaced
}

/** The value of a fixture with edits; records without an edit stay as the file has them. */
function applyEdits({ name, value }: Source, edits: RecordEdits, idsOf: IdsOf): Json {
  if (!Array.isArray(value)) return edits.get(undefined) ?? value
  const ids = idsOf(name, value)
  const isKnown = new Set<string | undefined>(ids)
  const kept = value.flatMap((record, at) =>
    edits.has(ids[at]) ? (edits.get(ids[at]) ?? []) : [record],
  )
  const added = [...edits].flatMap(([id, record]) =>
    !isKnown.has(id) && isRecord(record) ? [record] : [],
  )
  return [...kept, ...added]
}
