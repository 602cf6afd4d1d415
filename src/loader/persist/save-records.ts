import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import type { RecordEdits } from '../../core/fixtures/record-edits.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'
import { createFileIndex } from '../watch/file-index.ts'
import { isWritable, replaceFile } from './fixture-file.ts'
import { toPersistProblem } from './persist-problem.ts'

/** Creates the function that writes a client's edits of records to a fixture file, which keeps its layout. */
export function createRecordSaver(scanner: Scanner, idsOf: IdsOf): SaveRecords {
  const fileOf = createFileIndex(scanner)
  const write = async (name: string, edits: RecordEdits): Promise<boolean> => {
    const file = checkWritable(name, fileOf(name))
    const sources = file.sources.map((source) =>
      source.name === name ? { ...source, value: withEdits(source, edits, idsOf) } : source,
    )
    return replaceFile(file, () => sources, idsOf).catch((error: unknown) => {
      throw toSaveError(file.label, error)
    })
  }
  return async (name, edits) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Edits by other programs are taken over first.
      await scanner.scan()
      const isWritten = await scanner.exclusive(() => write(name, edits))
      await scanner.scan()
      if (isWritten) return
    }
    throw failed(name, 'another program keeps changing its file', 'Please try again.')
  }
}

/** Writes records to the fixture file of a resource. */
export type SaveRecords = (name: string, edits: RecordEdits) => Promise<void>

/** How many times a file that other programs change in the meantime is read again. */
const ATTEMPTS = 5

/** Returns the file of a resource. @throws MockError 409 if the file cannot be written */
function checkWritable(name: string, file: LoadedFile | undefined): LoadedFile {
  if (!file) throw failed(name, 'no file defines it', 'Please add a file for it to the fixtures.')
  if (!isWritable(file)) {
    const reason = `the data that "${file.label}" exports cannot be written back`
    throw failed(name, reason, 'Please edit it.')
  }
  if (file.diagnostics.some(isError)) {
    throw failed(name, `"${file.label}" has an error`, 'Please correct it first.')
  }
  return file
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

/** The value of a fixture with edits; records without an edit stay as the file has them. */
function withEdits({ name, value }: Source, edits: RecordEdits, idsOf: IdsOf): Json {
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
