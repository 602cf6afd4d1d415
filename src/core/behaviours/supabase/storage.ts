import type { Answer } from '../../dialects/contract/dialect.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { ExtraRoute, Hook } from '../../http/contract/hooks.ts'
import { andThen, type MaybePromise, type MockResponse } from '../../http/contract/messages.ts'
import { asRecord, keepText, readJson } from '../../http/resource/body.ts'
import { commit } from '../../http/resource/commit.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { compareValues } from '../../json/compare.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { fromBase64 } from '../../text/base64.ts'
import { randomUuid } from '../../time/random.ts'
import { decodeSegment } from '../../url/segment.ts'
import { serveFile, toDisposition } from '../files/content.ts'
import { createFiles, type FileParts } from '../files/files.ts'
import { type FieldRules, toRules } from '../files/options.ts'
import type { UploadTarget } from '../files/uploads.ts'
import { createSigner } from '../oidc/signing.ts'
import { textIn } from './accounts.ts'
import { answerFailures } from './failure.ts'
import { refusals, refuse } from './storage-refusals.ts'

/** The collections for the tables `storage.buckets` and `storage.objects`. */
export const bucketsName = 'storage/buckets'
export const objectsName = 'storage/objects'

/** Answers `/storage/v1` as Storage of Supabase does. The field `file` of an object holds its bytes, as with `files`. */
export function supabaseStorage(): Behaviour {
  return createFiles('storage', { [objectsName]: { file: { maxSize: '5GB' } } }, createEndpoints)
}

const root = '/storage/v1/'

function createEndpoints(
  { clock, random, service: { base, limits, store } }: MockContext,
  { receiver, open }: FileParts,
): { answer: Hook; routes: readonly ExtraRoute[]; uploads: UploadTarget } {
  const signer = createSigner('ES256', clock)
  const now = (): string => new Date(clock.now()).toISOString()
  const shown = (exchange: Exchange, name: string): JsonRecord[] => {
    const view = viewOf(exchange, name)
    const records = store.collection(name).records()
    return records.filter((one) => view.refusal(one) === undefined)
  }
  const allIn = (exchange: Exchange, bucket: string): JsonRecord[] =>
    shown(exchange, objectsName).filter((one) => one['bucket_id'] === bucket)
  const find = ({ exchange }: Placed, name: string, bucket: string) =>
    allIn(exchange, bucket).find((one) => one['name'] === name)

  function objectOf(call: Call, name = call.name): JsonRecord {
    const found = find(call, name, call.bucket)
    if (!found) throw refuse('NoSuchKey')
    return found
  }

  /** An object as lists show it; the facts of its file are in `metadata`. */
  function toObject({ file: value, metadata, ...object }: JsonRecord) {
    const file = open(objectsName, value)
    const { size = 0, tag: eTag = '', modified = 0 } = file?.bytes ?? {}
    const created_at = textIn(object, 'created_at') || new Date(modified).toISOString()
    const updated_at = textIn(object, 'updated_at') || created_at
    const sizes = { eTag, size, contentLength: size, httpStatusCode: 200 }
    const mimetype = file?.type ?? 'application/octet-stream'
    const usual = { mimetype, cacheControl: 'no-cache', lastModified: updated_at, ...sizes }
    const times = { created_at, updated_at, last_accessed_at: updated_at }
    const known: typeof usual = { ...usual, ...(isRecord(metadata) && metadata) }
    return { ...object, ...times, metadata: known }
  }

  /** Stores a record, a new one or in place of `previous`; without fields, removes it. */
  function save(exchange: Exchange, name: string, fields?: JsonRecord, previous?: JsonRecord) {
    const resource = store.collection(name)
    const times = { updated_at: now(), ...(!previous && { created_at: now() }) }
    const record = fields && { ...previous, ...fields, ...times }
    const place = previous && { id: textIn(previous, 'id'), previous }
    const action = !previous ? 'create' : fields ? 'patch' : 'remove'
    const written = commit(exchange, () => [{ action, resource, record, ...place }])
    return andThen(written, ([stored = {}]) => stored)
  }

  async function removeAll({ exchange }: Call, records: readonly JsonRecord[]): Promise<void> {
    for (const one of records) await save(exchange, objectsName, undefined, one)
  }

  /** Stores an object under a name. @throws MockError for a name in use, unless the request may replace it */
  function put(call: Placed, fields: JsonRecord, { bucket, name, isUpsert }: Place = call) {
    if (!isKey(name)) throw refuse('InvalidKey')
    const { exchange } = call
    const previous = find(call, name, bucket)
    if (previous && !isUpsert) throw refuse('KeyAlreadyExists')
    const owner_id = exchange.user?.['id'] ?? null
    const record = { owner_id, ...fields, id: randomUuid(random), bucket_id: bucket, name }
    const saved = save(exchange, objectsName, previous ? fields : record, previous)
    return andThen(saved, ({ id = null }) => ok({ Id: id, Key: `${bucket}/${name}` }))
  }

  /** The limits of a bucket. @throws MockError for a name in use, unless the request may replace it */
  function admit(call: Placed): FieldRules {
    if (find(call, call.name, call.bucket) && !call.isUpsert) throw refuse('KeyAlreadyExists')
    const { file_size_limit: limit, allowed_mime_types: types } = bucketOf(call)
    return toRules({
      types: Array.isArray(types) ? types.map(String) : [],
      maxSize: typeof limit === 'number' || typeof limit === 'string' ? limit : '50MB',
    })
  }

  function fieldsOf(mimetype: string, cache: string | undefined, sent: string | undefined) {
    const cacheControl = cache?.replace(/^\d+$/, 'max-age=$&') ?? 'no-cache'
    const user = sent ? { user_metadata: readJson(sent, limits) } : {}
    return { ...user, metadata: { mimetype, cacheControl } }
  }

  async function upload(call: Call) {
    const { exchange, name } = call
    const stem = name.replace(/^.*\/|\.\w+$/g, '')
    const received = await receiver.receive(exchange, stem, admit(call))
    const { headers, rawBody } = exchange
    const texts = Object.fromEntries(Array.isArray(rawBody) ? rawBody : []) as JsonRecord
    const cache = textIn(texts, 'cacheControl') || headers['cache-control']
    const sent = textIn(texts, 'metadata') || fromBase64(headers['x-metadata'] ?? '')
    return put(call, { ...fieldsOf(received.type, cache, sent), file: received.reference })
  }

  /** Resumable uploads, whose metadata name the object. */
  const uploads: UploadTarget = {
    path: `${root}upload/resumable`,
    begin: (exchange, metadata) => admit(toPlaced(exchange, metadata)),
    complete(exchange, metadata, { type, reference }) {
      receiver.accept(exchange, reference)
      const sent = metadata.get('contenttype') ?? type
      const fields = fieldsOf(sent, metadata.get('cachecontrol'), metadata.get('metadata'))
      return put(toPlaced(exchange, metadata), { ...fields, file: reference })
    },
  }

  /** Serves an object; `?download=name` makes a download of it. */
  function serve({ exchange, query }: Call, object: JsonRecord): MockResponse {
    const file = open(objectsName, object['file'])
    if (!file) throw refuse('NoSuchKey')
    const { mimetype, cacheControl } = toObject(object).metadata
    const download = query('download')
    const name = download || textIn(object, 'name').replace(/^.*\//, '')
    const served = serveFile(exchange, { ...file, name, type: mimetype })
    const disposition = toDisposition(download === undefined ? 'inline' : 'attachment', name)
    const own = new Map([
      ['Cache-Control', cacheControl],
      ['Content-Disposition', disposition],
    ])
    const headers = served.headers.map(([key, value]): [string, string] => [
      key,
      own.get(key) ?? value,
    ])
    return { ...served, headers }
  }

  const sign = (url: string, seconds: unknown): Promise<string> =>
    signer.sign({ url, exp: Math.floor(clock.now() / 1000) + (Number(seconds) || 0) })

  async function checkToken({ query }: Call, url: string): Promise<void> {
    const read = await signer.verify(query('token') ?? '')
    if (read?.isExpired !== false || read.claims['url'] !== url) throw refuse('InvalidJWT')
  }

  /** Lists a folder: the folders in it before the objects. */
  async function list({ exchange, bucket, body: read }: Call): Promise<Answer> {
    const body = await read()
    const { limit = 100, offset = 0, sortBy } = body
    const order = isRecord(sortBy) ? sortBy : {}
    const column = textIn(order, 'column') || 'name'
    const start = textIn(body, 'prefix')
      .replace(/^\/+|\/*$/g, '')
      .replace(/.$/, '$&/')
    const search = textIn(body, 'search').toLowerCase()
    const entries = new Map<string, JsonRecord>()
    for (const one of allIn(exchange, bucket)) {
      const whole = textIn(one, 'name')
      const [name = '', ...rest] = whole.slice(start.length).split('/')
      if (!whole.startsWith(start) || !name.toLowerCase().startsWith(search)) continue
      entries.set(`${name}${rest.length > 0 ? '/' : ''}`, {
        ...(rest.length > 0 ? folder : toObject(one)),
        name,
      })
    }
    const sorted = [...entries.values()].sort(
      (a, b) =>
        Number(a['id'] !== null) - Number(b['id'] !== null) ||
        compareValues(a[column], b[column], order['order'] === 'desc'),
    )
    return ok(sorted.slice(Number(offset), Number(offset) + Number(limit)))
  }

  function bucketOf({ exchange, bucket }: Placed): JsonRecord {
    const found = shown(exchange, bucketsName)
    const one = found.find(({ id }) => id === bucket)
    if (!one) throw refuse('NoSuchBucket')
    return one
  }

  /** The endpoints by method and path; a call whose path has a bucket gets that of the request. */
  const handlers: Readonly<Record<string, (call: Call) => MaybePromise<Answer | MockResponse>>> = {
    'GET bucket': ({ exchange }) => ok(shown(exchange, bucketsName)),
    async 'POST bucket'({ exchange, body: read }) {
      const body = await read()
      const id = textIn(body, 'id') || textIn(body, 'name')
      if (!isKey(id)) throw refuse('InvalidBucketName')
      if (store.collection(bucketsName).get(id)) throw refuse('KeyAlreadyExists')
      const usual = { public: false, file_size_limit: null, allowed_mime_types: null }
      await save(exchange, bucketsName, { ...usual, ...bucketFields(body), id, name: id })
      return ok({ name: id })
    },
    'GET bucket/:bucket': (call) => ok(bucketOf(call)),
    async 'PUT bucket/:bucket'(call) {
      await save(call.exchange, bucketsName, bucketFields(await call.body()), bucketOf(call))
      return ok({ message: 'Successfully updated' })
    },
    async 'DELETE bucket/:bucket'(call) {
      if (allIn(call.exchange, call.bucket).length > 0) throw refuse('BucketNotEmpty')
      await save(call.exchange, bucketsName, undefined, bucketOf(call))
      return ok({ message: 'Successfully deleted' })
    },
    async 'POST bucket/:bucket/empty'(call) {
      await removeAll(call, allIn(call.exchange, call.bucket))
      return ok({ message: 'Successfully emptied' })
    },
    'POST object/list/:bucket': list,
    async 'POST object/:kind'(call) {
      const body = await call.body()
      const bucket = textIn(body, 'bucketId')
      const object = objectOf({ ...call, bucket }, textIn(body, 'sourceKey'))
      const name = textIn(body, 'destinationKey')
      const target = { ...call, bucket: textIn(body, 'destinationBucket') || bucket, name }
      bucketOf(target)
      receiver.accept(call.exchange, textIn(object, 'file'))
      const answer = await put(call, object, target)
      if (call.kind === 'copy') return answer
      await removeAll(call, [object])
      return ok({ message: 'Successfully moved' })
    },
    async 'POST object/sign/:bucket'(call) {
      const { bucket } = call
      const body = await call.body()
      const paths = Array.isArray(body['paths']) ? body['paths'].map(String) : []
      const signed = paths.map(async (path) => {
        if (!find(call, path, bucket)) {
          const error = 'Either the object does not exist or you do not have access to it'
          return { error, path, signedURL: null }
        }
        const token = await sign(`${bucket}/${path}`, body['expiresIn'])
        return { error: null, path, signedURL: `/object/sign/${bucket}/${path}?token=${token}` }
      })
      return ok(await Promise.all(signed))
    },
    async 'POST object/sign/:bucket/*'(call) {
      objectOf(call)
      const url = `${call.bucket}/${call.name}`
      const token = await sign(url, (await call.body())['expiresIn'])
      return ok({ signedURL: `/object/sign/${url}?token=${token}` })
    },
    async 'POST object/upload/sign/:bucket/*'(call) {
      const { bucket, name, isUpsert } = call
      if (find(call, name, bucket) && !isUpsert) throw refuse('KeyAlreadyExists')
      const token = await sign(`upload ${bucket}/${name}`, 7200)
      return ok({ url: `/object/upload/sign/${bucket}/${name}?token=${token}`, token })
    },
    async 'PUT object/upload/sign/:bucket/*'(call) {
      await checkToken(call, `upload ${call.bucket}/${call.name}`)
      return upload(call)
    },
    'GET object/info/(public/|authenticated/)?:bucket/*'(call) {
      const { metadata, user_metadata = {}, ...object } = toObject(objectOf(call)) as JsonRecord
      const { size, mimetype, cacheControl, eTag, lastModified } = metadata as JsonRecord
      const facts = { size, content_type: mimetype, cache_control: cacheControl, etag: eTag }
      return ok({ ...object, ...facts, metadata: user_metadata, last_modified: lastModified })
    },
    async 'GET (object|render/image)/(?<kind>public|authenticated|sign)/:bucket/*'(call) {
      const { kind, bucket, name } = call
      if (kind === 'sign') await checkToken(call, `${bucket}/${name}`)
      const isHidden = kind === 'public' && bucketOf(call)['public'] !== true
      if (isHidden) throw refuse('NoSuchBucket')
      return serve(call, objectOf(call))
    },
    'GET object/:bucket/*': (call) => serve(call, objectOf(call)),
    'POST object/:bucket/*': upload,
    'PUT object/:bucket/*': (call) => upload({ ...call, isUpsert: Boolean(objectOf(call)) }),
    async 'DELETE object/:bucket'(call) {
      const names = [(await call.body())['prefixes']].flat()
      const found = allIn(call.exchange, call.bucket).filter(({ name = null }) =>
        names.includes(name),
      )
      const shown = found.map(toObject)
      await removeAll(call, found)
      return ok(shown)
    },
    async 'DELETE object/:bucket/*'(call) {
      await removeAll(call, [objectOf(call)])
      return ok({ message: 'Successfully deleted' })
    },
  }
  const rows = Object.entries(handlers).map(([key, handler]) => {
    const pattern = key.replace(/:(\w+)/g, '(?<$1>[^/]+)').replace('*', '(?<name>.+)')
    return [new RegExp(`^${pattern}$`), handler] as const
  })

  async function answer(exchange: Exchange, path: string): Promise<Answer | MockResponse> {
    const { method, headers, params } = exchange
    const key = `${method === 'HEAD' ? 'GET' : method} ${path}`
    const [pattern, handler] = rows.find(([one]) => one.test(key)) ?? []
    if (!handler) throw refuse('RouteNotFound')
    const { bucket = '', name = '', kind = '' } = pattern?.exec(key)?.groups ?? {}
    const call: Call = {
      exchange,
      kind,
      bucket: decodeSegment(bucket),
      name: name.split('/').map(decodeSegment).join('/'),
      isUpsert: headers['x-upsert'] === 'true',
      async body() {
        const text = await keepText(exchange)
        return text === '' ? {} : asRecord(readJson(text, limits))
      },
      query: (wanted) => params.find(([one]) => one === wanted)?.[1],
    }
    if (bucket) bucketOf(call)
    return handler(call)
  }

  return {
    answer(exchange) {
      const path = exchange.path.slice(base.length)
      const isOther = !path.startsWith(root) || path.startsWith(uploads.path)
      if (isOther || exchange.method === 'OPTIONS') return undefined
      return answerFailures(
        exchange,
        () => answer(exchange, path.slice(root.length)),
        (code, { status, message }) => {
          const [, error] = ownValue(refusals, code) ?? [status, code]
          const value = { statusCode: String(status), error, message, code }
          // Storage sends its refusals with this status.
          return { status: status < 500 ? 400 : status, value }
        },
      )
    },
    uploads,
    routes: ['bucket', 'bucket/:id', 'object/:bucket/:name'].map((path) => {
      return { methods: ['GET', 'POST', 'PUT', 'DELETE'], path: root + path }
    }),
  }
}

/** A place of an object, and whether a request may replace the object there. */
interface Place {
  bucket: string
  name: string
  isUpsert: boolean
}

/** A request for an object. */
interface Placed extends Place {
  exchange: Exchange
}

/** A request with its body as JSON and the parts of its path; `kind` is how a file is read, `move` or `copy`. */
interface Call extends Placed {
  kind: string
  body(): Promise<JsonRecord>
  query(name: string): string | undefined
}

function toPlaced(exchange: Exchange, metadata: ReadonlyMap<string, string>): Placed {
  const [bucket = '', name = ''] = ['bucketname', 'objectname'].map((one) => metadata.get(one))
  return { exchange, bucket, name, isUpsert: exchange.headers['x-upsert'] === 'true' }
}

function bucketFields(body: JsonRecord): JsonRecord {
  const names = ['public', 'file_size_limit', 'allowed_mime_types']
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))
}

/** The fields of a folder in a list. */
const folder = {
  id: null,
  updated_at: null,
  created_at: null,
  last_accessed_at: null,
  metadata: null,
}

/** Whether Storage takes a text as the name of an object. */
function isKey(name: string): boolean {
  return /^[\w/!\-.*'() &$@=;:+,?]+$/.test(name)
}

function ok(value: unknown): Answer {
  return { status: 200, headers: [], value }
}
