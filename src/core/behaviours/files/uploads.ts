import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Upload, UploadStorage } from '../../fixtures/file-folder.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../../http/contract/exchange.ts'
import type { ExtraRoute, Hook } from '../../http/contract/hooks.ts'
import {
  type HeaderList,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { asRecord, invalidBody, mediaType, readJsonBody } from '../../http/resource/body.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { notFound } from '../../http/routing/target.ts'
import { fromBase64, toBase64Url } from '../../text/base64.ts'
import { parseParams } from '../../url/params.ts'
import { memoryLimit } from '../shared/world-state.ts'
import { serveFile } from './content.ts'
import type { FileFields } from './fields.ts'
import { drawKey } from './memory.ts'
import { checkType, type FieldRules, type FileSettings, fileTooLarge } from './options.ts'
import { readBytes, type Receiver, withLimit } from './receive.ts'
import { nameOfType, toReference, typeOfUpload } from './references.ts'

/** Uploads to addresses of their own: presigned as at S3, and resumable by tus 1.0. */
export interface Uploads {
  answer: Hook
  routes: readonly ExtraRoute[]
  /** The text by which a field refers to a finished upload, by its path below the base. */
  referenceAt(path: string): string | undefined
}

/** Where resumable uploads are, and what becomes of them. */
export interface UploadTarget {
  /** The path below the base. */
  path: string
  /** Checks a new upload by its metadata, whose names are in lower case. Returns the limits of its file. */
  begin?(exchange: Exchange, metadata: ReadonlyMap<string, string>): FieldRules
  /** Stores the reference of an upload whose bytes are all there. */
  complete?(
    exchange: Exchange,
    metadata: ReadonlyMap<string, string>,
    file: { type: string; reference: string },
  ): MaybePromise<unknown>
}

const TUS_TYPE = 'application/offset+octet-stream'

/** Creates the endpoints below a path, unless there is a resource of that name. */
export function createUploads(
  { uploads: settings }: FileSettings,
  world: MockContext,
  storage: () => UploadStorage,
  receiver: Receiver,
  fields: Pick<FileFields, 'open'>,
  target: UploadTarget = { path: '/uploads' },
): Uploads {
  const PATH = target.path
  const { service, clock } = world
  const { base } = service
  /** The uploads whose bytes are being written: a second PATCH would mix with them. */
  const busy = new Set<string>()

  const rules = (): FieldRules & { maxSize: number } => {
    const maxSize = settings.maxSize ?? (storage().attach ? 5 * 1024 ** 3 : memoryLimit(world))
    return { ...settings, maxSize }
  }
  const urlOf = ({ origin }: Exchange, key: string): string => `${origin}${base}${PATH}/${key}`
  const isExpired = ({ expires }: Upload): boolean => expires <= clock.now()
  const offsetOf = (key: string): number => storage().bytes(key)?.size ?? 0

  function open(
    upload: Pick<Upload, 'name' | 'type' | 'length' | 'metadata' | 'signature'>,
    own: FieldRules = settings,
  ): string {
    checkType(own, upload)
    const { maxSize = rules().maxSize } = own
    if ((upload.length ?? 0) > maxSize) throw fileTooLarge(maxSize, upload.name)
    for (const [key, one] of storage().uploads) if (isExpired(one)) storage().remove(key)
    const key = drawKey(world, storage())
    storage().uploads.set(key, { ...upload, expires: clock.now() + settings.expires })
    return key
  }

  async function presign(exchange: Exchange): Promise<Answer> {
    const body = asRecord(await readJsonBody(exchange))
    const { name: given = '', type: sent = '', size = null } = body
    const isSize = size === null || (Number.isInteger(size) && Number(size) >= 0)
    if (typeof given !== 'string' || typeof sent !== 'string' || !isSize) {
      throw invalidBody(
        'it describes no file',
        'Please send {"name":"ada.jpg","type":"image/jpeg","size":1024}.',
      )
    }
    const type = typeOfUpload(sent, given)
    const name = given || nameOfType('file', type)
    const signature = Array.from({ length: 64 }, () =>
      Math.floor(world.random() * 16).toString(16),
    ).join('')
    const length = size === null ? undefined : Number(size)
    const key = open({ name, type, length, signature })
    const file = urlOf(exchange, key)
    const seconds = Math.floor(settings.expires / 1000)
    const date = toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, '')
    const signed = {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `MOCK/${date.slice(0, 8)}/mock/s3/aws4_request`,
      'X-Amz-Date': date,
      'X-Amz-Signature': signature,
    }
    const query = Object.entries({
      ...signed,
      'X-Amz-Expires': String(seconds),
      'X-Amz-SignedHeaders': 'host',
    })
    const conditions = [
      { key: `uploads/${key}/${name}` },
      ['content-length-range', 0, length ?? rules().maxSize],
    ]
    const expiration = toIso(clock.now() + settings.expires)
    const policy = toBase64Url(JSON.stringify({ expiration, conditions }))
    return {
      status: 201,
      headers: [['Location', file]],
      value: {
        url: `${file}?${query.map(([one, value]) => `${one}=${encodeURIComponent(value)}`).join('&')}`,
        method: 'PUT',
        headers: { 'Content-Type': type },
        fields: { key: `uploads/${key}/${name}`, 'Content-Type': type, ...signed, Policy: policy },
        file,
        expires: expiration,
      },
    }
  }

  /** @throws MockError 403, as S3 answers, for a wrong signature or an address that has expired */
  function checkSigned(upload: Upload, signature: unknown): void {
    const reason = isExpired(upload) ? 'the address has expired' : 'the signature does not match'
    if (!isExpired(upload) && signature === upload.signature) return
    throw new MockError(`Failed to upload: ${reason}. Please request a new address at ${PATH}.`, {
      status: 403,
      code: 'UPLOAD_REFUSED',
    })
  }

  async function receiveSigned(
    exchange: Exchange,
    key: string,
    upload: Upload,
  ): Promise<MockResponse> {
    const isForm = mediaType(exchange.request) === 'multipart/form-data'
    let status = 200
    if (isForm) {
      if (isExpired(upload)) checkSigned(upload, undefined)
    } else {
      const [, signature] =
        parseParams(exchange.search, service.limits.maxParams).find(
          ([name]) => name === 'X-Amz-Signature',
        ) ?? []
      checkSigned(upload, signature)
    }
    const own = rules()
    const taken = { ...own, maxSize: Math.min(upload.length ?? own.maxSize, own.maxSize) }
    const received = await receiver.receive(exchange, upload.name, taken)
    const { rawBody: sent } = exchange
    if (isForm && Array.isArray(sent)) {
      const valueOf = (wanted: string): unknown =>
        sent.find(([name]) => name.toLowerCase() === wanted)?.[1]
      checkSigned(upload, valueOf('x-amz-signature'))
      const asked = Number(valueOf('success_action_status'))
      status = [200, 201].includes(asked) ? asked : 204
    }
    const [contentKey = ''] = /[\da-z]{16}(?=-)/.exec(received.reference) ?? []
    const reference = toReference(contentKey, upload.name, upload.type)
    storage().uploads.set(key, { ...upload, length: received.size, reference })
    const etag = storage().bytes(contentKey)?.tag ?? ''
    const headers: HeaderList = [
      ['ETag', etag],
      ['Location', urlOf(exchange, key)],
    ]
    if (status !== 201) return { status, headers, body: status === 204 ? null : '' }
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse><Location>${urlOf(exchange, key)}</Location><Bucket>uploads</Bucket><Key>${key}</Key><ETag>${etag.replaceAll('"', '&quot;')}</ETag></PostResponse>`
    return { status, headers: [...headers, ['Content-Type', 'application/xml']], body }
  }

  /** Appends the body of a request by tus. @throws MockError 413 when it is longer than announced, 423 when another is written */
  async function append(exchange: Exchange, key: string, upload: Upload): Promise<number> {
    if (busy.has(key)) throw tusError(423, 'another request writes to it')
    const { request } = exchange
    const limit = (upload.length ?? rules().maxSize) - offsetOf(key)
    busy.add(key)
    try {
      if (Number(exchange.headers['content-length'] ?? 0) > limit)
        throw fileTooLarge(limit, upload.name)
      await storage().append(
        key,
        request.stream
          ? withLimit(request.stream(Infinity), limit, upload.name)
          : await readBytes(exchange, limit),
      )
    } finally {
      busy.delete(key)
    }
    return offsetOf(key)
  }

  /** Notes that all bytes of an upload are there. */
  async function complete(exchange: Exchange, key: string, upload: Upload): Promise<void> {
    if (upload.length !== offsetOf(key)) return
    if (upload.length === 0) void storage().append(key, new Uint8Array())
    const { name, type, metadata } = upload
    const reference = toReference(key, name, type)
    await target.complete?.(exchange, parseMetadata(metadata), { type, reference })
    storage().uploads.set(key, { ...upload, reference })
  }

  async function createTus(exchange: Exchange): Promise<MockResponse> {
    const { headers } = exchange
    const length = lengthOf(headers['upload-length'])
    if (length === undefined && headers['upload-defer-length'] !== '1') {
      throw tusError(400, 'it has no length. Please send Upload-Length, or Upload-Defer-Length: 1')
    }
    const metadata = headers['upload-metadata']
    const known = parseMetadata(metadata)
    const own = target.begin?.(exchange, known)
    const given = known.get('filename') ?? known.get('name') ?? known.get('objectname')
    const type = typeOfUpload(
      known.get('filetype') ?? known.get('type') ?? known.get('contenttype'),
      given ?? '',
    )
    const name = given ?? nameOfType('file', type)
    const key = open({ name, type, length, metadata }, own)
    const upload = storage().uploads.get(key)
    const lines: HeaderList = [['Location', urlOf(exchange, key)]]
    if (upload && mediaType(exchange.request) === TUS_TYPE) {
      lines.push(['Upload-Offset', String(await append(exchange, key, upload))])
    }
    if (upload) {
      await complete(exchange, key, upload)
      lines.push(['Upload-Expires', new Date(upload.expires).toUTCString()])
    }
    return { status: 201, headers: lines, body: null }
  }

  /** The headers of HEAD by which a client learns where to continue (tus 1.0, "HEAD"). */
  function describe(key: string, { length, metadata, expires }: Upload): MockResponse {
    const headers: HeaderList = [
      ['Upload-Offset', String(offsetOf(key))],
      length === undefined ? ['Upload-Defer-Length', '1'] : ['Upload-Length', String(length)],
      ['Upload-Expires', new Date(expires).toUTCString()],
      ['Cache-Control', 'no-store'],
    ]
    if (metadata !== undefined) headers.push(['Upload-Metadata', metadata])
    return { status: 200, headers, body: null }
  }

  async function continueTus(
    exchange: Exchange,
    key: string,
    given: Upload,
  ): Promise<MockResponse> {
    const { headers } = exchange
    if (mediaType(exchange.request) !== TUS_TYPE) throw tusError(415, `its type is not ${TUS_TYPE}`)
    const offset = lengthOf(headers['upload-offset'])
    if (offset === undefined) throw tusError(400, 'it has no Upload-Offset')
    if (offset !== offsetOf(key)) throw tusError(409, `the offset is ${offsetOf(key)}`)
    const upload = { ...given }
    if (upload.length === undefined && headers['upload-length'] !== undefined) {
      upload.length = lengthOf(headers['upload-length'])
      storage().uploads.set(key, upload)
    }
    const now = await append(exchange, key, upload)
    await complete(exchange, key, upload)
    const expires = new Date(upload.expires).toUTCString()
    const lines: HeaderList = [
      ['Upload-Offset', String(now)],
      ['Upload-Expires', expires],
    ]
    return { status: 204, headers: lines, body: null }
  }

  function answerList(exchange: Exchange, isTus: boolean): MaybePromise<MockResponse | Answer> {
    const answered = answerMethods(exchange, service.readOnly ? ['OPTIONS'] : ['POST', 'OPTIONS'])
    if (!answered) return isTus ? createTus(exchange) : presign(exchange)
    const lines: HeaderList = [
      ['Tus-Resumable', '1.0.0'],
      ['Tus-Version', '1.0.0'],
      [
        'Tus-Extension',
        'creation,creation-with-upload,creation-defer-length,expiration,termination',
      ],
      ['Tus-Max-Size', String(rules().maxSize)],
    ]
    return { ...answered, headers: [...answered.headers, ...lines] }
  }

  function answerOne(
    exchange: Exchange,
    key: string,
    isTus: boolean,
  ): MaybePromise<MockResponse | Answer> {
    const { method } = exchange
    const upload = storage().uploads.get(key)
    if (!upload)
      throw notFound(`Failed to find the upload "${key}". Please create another at ${PATH}.`)
    const { reference, signature } = upload
    const writes = signature === undefined ? ['PATCH', 'DELETE'] : ['PUT', 'POST']
    const methods = ['GET', 'HEAD', ...(service.readOnly ? [] : writes), 'OPTIONS']
    const answered = answerMethods(exchange, methods)
    if (answered) return answered
    if (signature !== undefined && writes.includes(method))
      return receiveSigned(exchange, key, upload)
    if (isTus && isExpired(upload)) throw tusError(410, 'it has expired')
    if (isTus && method === 'HEAD') return describe(key, upload)
    if (method === 'PATCH') return continueTus(exchange, key, upload)
    if (method === 'DELETE') {
      storage().remove(key)
      return { status: 204, headers: [], body: null }
    }
    const file = fields.open('', reference)
    if (!file) throw notFound(`Failed to find the file of the upload "${key}": it is not complete.`)
    return serveFile(exchange, file)
  }

  const keyAt = (path: string): string | undefined =>
    path.startsWith(`${PATH}/`) ? /^[\da-z]{16}$/.exec(path.slice(PATH.length + 1))?.[0] : undefined
  const isActive = (): boolean => !service.store.resources.has(PATH.slice(1))

  return {
    answer(exchange) {
      const path = exchange.path.slice(base.length).replace(/\/$/, '')
      const key = keyAt(path)
      if ((path !== PATH && key === undefined) || !isActive()) return undefined
      const version = exchange.headers['tus-resumable']
      const isTus = version !== undefined
      if (isTus) {
        onLeave(exchange, (response) => {
          const others = response.headers.filter(([name]) => name !== 'Tus-Resumable')
          return { ...response, headers: [...others, ['Tus-Resumable', '1.0.0']] }
        })
        if (version !== '1.0.0' && exchange.method !== 'OPTIONS') {
          throw tusError(412, 'the version is not 1.0.0', [['Tus-Version', '1.0.0']])
        }
      }
      // A client behind a proxy without PATCH sends POST (tus 1.0, "X-HTTP-Method-Override").
      const method = (isTus && exchange.headers['x-http-method-override']) || exchange.method
      const asked = method === exchange.method ? exchange : { ...exchange, method }
      return key === undefined ? answerList(asked, isTus) : answerOne(asked, key, isTus)
    },
    routes: [
      { methods: ['POST', 'OPTIONS'], path: PATH },
      {
        methods: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
        path: `${PATH}/:key`,
      },
    ],
    referenceAt(path) {
      const key = keyAt(path)
      return key === undefined || !isActive() ? undefined : storage().uploads.get(key)?.reference
    },
  }
}

/** A header that is a whole number; undefined without it. @throws MockError 400 */
function lengthOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (!/^\d{1,15}$/.test(header)) throw tusError(400, `"${header}" is no number of bytes`)
  return Number(header)
}

/** Parses `Upload-Metadata`: pairs of a name and a value in base64; names in lower case. @throws MockError 400 */
function parseMetadata(header = ''): Map<string, string> {
  const pairs = header.split(',').filter((pair) => pair.trim() !== '')
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.trim().split(' ', 2)
      const text = fromBase64(value)
      if (text === undefined) throw tusError(400, `the metadata "${name}" is not in base64`)
      return [name.toLowerCase(), text]
    }),
  )
}

function tusError(status: number, reason: string, headers: HeaderList = []): MockError {
  return new MockError(`Failed to upload: ${reason}.`, { status, code: 'UPLOAD_INVALID', headers })
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}
