import { MockError } from '../../errors/mock-error.ts'
import type { UploadStorage } from '../../fixtures/file-folder.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { throwIfEnded } from '../../http/contract/early-end.ts'
import { createRequestState, type Exchange, onLeave } from '../../http/contract/exchange.ts'
import {
  andThen,
  type FormField,
  type MaybePromise,
  type MockRequest,
} from '../../http/contract/messages.ts'
import { checkCoding, invalidBody, mediaType } from '../../http/resource/body.ts'
import { checkType, type FieldRules, fileTooLarge } from './options.ts'
import {
  type DataFile,
  nameOfType,
  parseDataFile,
  toReference,
  typeOfUpload,
} from './references.ts'
import { drawKey } from './memory.ts'

/** A stored file that no record has yet; `reference` is the text for a field. */
export interface ReceivedFile {
  name: string
  type: string
  size: number
  reference: string
}

/** Stores the files of requests, and knows which files a request may put into a record. */
export interface Receiver {
  /** Stores the body of a request as one file: the raw body, or the first file of a form. @throws MockError 413, 415 */
  receive(exchange: Exchange, stem: string, rules: FieldRules): MaybePromise<ReceivedFile>
  /** Stores bytes. @throws MockError 413, 415 */
  store(exchange: Exchange, file: DataFile, rules: FieldRules): ReceivedFile
  /** Reads a form whose files, in fields that `rulesOf` knows, are stored while they arrive. */
  readForm(
    exchange: Exchange,
    request: MockRequest,
    rulesOf: (field: string) => FieldRules | undefined,
    limit: number,
  ): MaybePromise<FormField[]>
  /** The largest file that a field takes, in bytes. */
  limitOf(rules: FieldRules): number
  accept(exchange: Exchange, reference: string): void
  isAccepted(exchange: Exchange, reference: string): boolean
}

/** Creates the receiver of a world. Bytes that a refused request has stored are removed with its response. */
export function createReceiver(world: MockContext, storage: () => UploadStorage): Receiver {
  const accepted = createRequestState<Set<string>>()
  const { limits } = world.service
  const limitOf = ({ maxSize }: FieldRules): number => maxSize ?? limits.maxBody

  function open(exchange: Exchange): string {
    const key = drawKey(world, storage())
    onLeave(exchange, (response) => {
      if (response.status >= 400 || response.status === 0) storage().remove(key)
      return response
    })
    return key
  }

  function accept(exchange: Exchange, reference: string): void {
    accepted.set(exchange, (accepted.get(exchange) ?? new Set()).add(reference))
  }

  function finish(
    exchange: Exchange,
    key: string,
    { name, type }: Pick<DataFile, 'name' | 'type'>,
  ): ReceivedFile {
    throwIfEnded(exchange)
    const reference = toReference(key, name, type)
    accept(exchange, reference)
    return { name, type, size: storage().bytes(key)?.size ?? 0, reference }
  }

  function store(exchange: Exchange, given: DataFile, rules: FieldRules): ReceivedFile {
    const file = { ...given, name: given.name || nameOfType('file', given.type) }
    checkType(rules, file)
    const limit = limitOf(rules)
    if (file.bytes.length > limit) throw fileTooLarge(limit, file.name)
    const key = open(exchange)
    // Bytes that are all there are stored at once.
    void storage().append(key, file.bytes)
    return finish(exchange, key, file)
  }

  async function storeStream(
    exchange: Exchange,
    file: Pick<DataFile, 'name' | 'type'>,
    bytes: AsyncIterable<Uint8Array>,
    rules: FieldRules,
  ): Promise<ReceivedFile> {
    checkType(rules, file)
    const key = open(exchange)
    await storage().append(key, withLimit(bytes, limitOf(rules), file.name))
    return finish(exchange, key, file)
  }

  async function readForm(
    exchange: Exchange,
    request: MockRequest,
    rulesOf: (field: string) => FieldRules | undefined,
    limit: number,
  ): Promise<FormField[]> {
    const fields: FormField[] = []
    if (!request.parts) {
      fields.push(...(await request.form(limit)))
    } else {
      for await (const part of request.parts((field) => rulesOf(field) !== undefined, limit)) {
        const rules = 'bytes' in part && rulesOf(part.field)
        if (!('bytes' in part)) fields.push(part)
        else if (rules) {
          const file = { name: part.name, type: typeOfUpload(part.type, part.name) }
          const { reference, ...stored } = await storeStream(exchange, file, part.bytes, rules)
          fields.push([part.field, { ...stored, url: reference }])
        }
      }
    }
    // The log has the names, types and sizes of files without their bytes.
    exchange.rawBody = fields.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { ...value, url: '' },
    ])
    return fields
  }

  async function receiveForm(exchange: Exchange, rules: FieldRules): Promise<ReceivedFile> {
    const limit = limitOf(rules) + limits.maxBody
    const fields = await readForm(exchange, exchange.request, () => rules, limit)
    const file = fields.map(([, value]) => value).find((value) => typeof value === 'object')
    if (!file) throw invalidBody('the form has no file', 'Please send one.')
    const { url, ...stored } = file
    if (isAccepted(exchange, url)) return { ...stored, reference: url }
    const data = parseDataFile(file)
    if (!data) throw invalidBody('the form has no file', 'Please send one.')
    return store(exchange, data, rules)
  }

  function isAccepted(exchange: Exchange, reference: string): boolean {
    return accepted.get(exchange)?.has(reference) ?? false
  }

  return {
    limitOf,
    accept,
    isAccepted,
    store,
    readForm,
    receive(exchange, stem, rules) {
      const { request } = exchange
      checkCoding(request)
      if (mediaType(request) === 'multipart/form-data') return receiveForm(exchange, rules)
      const given = /filename\*?=(?:utf-8'[^']*')?"?([^";]+)/i.exec(
        request.headers['content-disposition'] ?? '',
      )?.[1]
      const sent = request.headers['content-type']
      const name = decodeName(given) ?? nameOfType(stem, typeOfUpload(sent, stem))
      const file = { name, type: typeOfUpload(sent, name) }
      checkType(rules, file)
      const limit = limitOf(rules)
      if (Number(request.headers['content-length'] ?? 0) > limit) throw fileTooLarge(limit, name)
      if (request.stream) {
        return storeStream(exchange, file, request.stream(Infinity), rules)
      }
      return andThen(readBytes(exchange, limit, name), (bytes) =>
        store(exchange, { ...file, bytes }, rules),
      )
    },
  }
}

/** Reads the bytes of a body, which the log leaves out. @throws MockError 413 beyond `limit` bytes */
export function readBytes(
  exchange: Exchange,
  limit: number,
  name?: string,
): MaybePromise<Uint8Array> {
  const { bytes } = exchange.request
  if (!bytes) throw invalidBody('its bytes were read before', 'Please send it without other hooks.')
  const read = andThen(bytes(limit), (whole) => {
    delete exchange.rawBody
    return whole
  })
  if (!(read instanceof Promise)) return read
  return read.catch((error: unknown) => {
    throw error instanceof MockError && error.status === 413 ? fileTooLarge(limit, name) : error
  })
}

/** Passes chunks on until there are more than `limit` bytes. @throws MockError 413 */
export async function* withLimit(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  name?: string,
): AsyncGenerator<Uint8Array> {
  let left = limit
  for await (const chunk of chunks) {
    left -= chunk.length
    if (left < 0) throw fileTooLarge(limit, name)
    yield chunk
  }
}

function decodeName(given: string | undefined): string | undefined {
  try {
    return given === undefined ? undefined : decodeURIComponent(given)
  } catch {
    return given
  }
}
