import {
  type Check,
  checkOptions,
  isCount,
  isEither,
  isFlag,
  isListOf,
  isObject,
  wrong,
} from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'

/** The fields that hold files, by resource; `uploads` has the options of presigned and resumable uploads. */
export interface FileOptions {
  readonly uploads?: UploadOptions
  readonly [resource: string]: FieldOptions | UploadOptions | undefined
}

/** The options of the fields of a resource, by name; true for a field that takes any file. */
type FieldOptions = Readonly<Record<string, FileField | true>>

/** The files that a field takes. */
export interface FileField {
  /** Media types and extensions, as in `accept` of HTML: `image/*`, `application/pdf`, `.csv`. @default any */
  types?: readonly string[]
  /** The largest file, in bytes or as `5MB`, of 1024 × 1024 bytes each. @default the limit of bodies, 10 MiB */
  maxSize?: number | string
  /** Whether the field is a list of files. @default if its value is a list */
  list?: boolean
}

/** The files that presigned and resumable uploads take. */
export interface UploadOptions extends Omit<FileField, 'list'> {
  /** How long an address for an upload is valid. @default '1h' */
  expires?: Duration
}

/** The checked options of a field. */
export interface FieldRules {
  types: readonly string[]
  /** In bytes; undefined for the default. */
  maxSize: number | undefined
  isList: boolean
}

/** The checked options of `files`. */
export interface FileSettings {
  fields: ReadonlyMap<string, ReadonlyMap<string, FieldRules>>
  uploads: FieldRules & { expires: number }
}

const isSize: Check = isEither(isCount, [
  (value) => typeof value === 'string' && sizePattern.test(value),
  'a size such as "5MB"',
])

const sizePattern = /^\s*(\d+(?:\.\d+)?)\s*(|k|m|g)i?b?\s*$/i

const fieldChecks = {
  types: isListOf([
    (value) => typeof value === 'string' && /^(?:\.[^\s/]+|[^\s/.][^\s/]*\/[^\s/]+)$/.test(value),
    'a media type such as "image/*", or an extension such as ".pdf"',
  ]),
  maxSize: isSize,
} satisfies Record<string, Check>

/** @throws MockError for a wrong option */
export function toFileSettings(options: FileOptions): FileSettings {
  checkOptions('the options of "files"', options)
  const { uploads = {}, ...resources } = options
  const subject = 'the options of "files" for'
  checkOptions(`${subject} uploads`, uploads, { ...fieldChecks, expires: isDuration })
  const fields = new Map<string, ReadonlyMap<string, FieldRules>>()
  for (const [name, own] of Object.entries(resources)) {
    if (!isObject[0](own)) {
      throw wrong(`${subject} "${name}"`, 'it has no fields. Please write { image: true }.')
    }
    const rules = Object.entries(own as Record<string, FileField | true>).map(
      ([field, given]): [string, FieldRules] => {
        if (given === true) return [field, toRules({})]
        checkOptions(`${subject} "${name}.${field}"`, given, { ...fieldChecks, list: isFlag })
        return [field, toRules(given)]
      },
    )
    fields.set(name, new Map(rules))
  }
  const expires = toMilliseconds(uploads.expires ?? '1h')
  return { fields, uploads: { ...toRules(uploads), expires } }
}

/** Fills in the defaults of the options of a field. */
export function toRules({ types = [], maxSize, list = false }: FileField): FieldRules {
  const lower = types.map((one) => one.toLowerCase())
  return {
    types: lower,
    maxSize: maxSize === undefined ? undefined : toBytes(maxSize),
    isList: list,
  }
}

function toBytes(size: number | string): number {
  const [, count = '', unit = ''] = sizePattern.exec(String(size)) ?? []
  return Math.floor(Number(count) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase()))
}

/** @throws MockError 415 for a type that is not among those of a field */
export function checkType({ types }: FieldRules, file: { name: string; type: string }): void {
  const [type = ''] = file.type.toLowerCase().split(/\s*;/)
  const isAccepted = types.some((one) =>
    one.startsWith('.')
      ? file.name.toLowerCase().endsWith(one)
      : one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
  if (types.length === 0 || isAccepted) return
  throw new MockError(
    `Failed to store the file "${file.name}": its type is "${type}". Please send ${types.join(' or ')}.`,
    { status: 415, code: 'FILE_TYPE', headers: [['Accept', types.filter(isMediaType).join(', ')]] },
  )
}

function isMediaType(type: string): boolean {
  return !type.startsWith('.')
}

/** The error 413 for a file with more bytes than `limit`; `size` is its size, if known. */
export function fileTooLarge(limit: number, name = ''): MockError {
  const label = name === '' ? 'the file' : `the file "${name}"`
  return new MockError(
    `Failed to store ${label}: it has more than ${toText(limit)}. Please send a smaller file.`,
    { status: 413, code: 'FILE_TOO_LARGE', extensions: { maxSize: limit } },
  )
}

function toText(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const count = bytes / 1024 ** power
  return Number.isInteger(count)
    ? `${count} ${['bytes', 'KB', 'MB', 'GB'][power]}`
    : `${bytes} bytes`
}
