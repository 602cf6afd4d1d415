import type { Answer } from '../../dialects/contract/dialect.ts'
import { checkOptions, isListOf, isText } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { UploadStorage } from '../../fixtures/file-folder.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import type { ExtraRoute, Hook } from '../../http/contract/hooks.ts'
import {
  andThen,
  isSafe,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { mediaType } from '../../http/resource/body.ts'
import { commit } from '../../http/resource/commit.ts'
import { visibleMember } from '../../http/resource/record-view.ts'
import { evaluateConditions, preconditionFailed } from '../../http/response/settle.ts'
import { notFound, resourcePath } from '../../http/routing/target.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Singleton } from '../../store/records/resource.ts'
import { decodeSegment } from '../../url/segment.ts'
import { checkNames } from '../shared/resources.ts'
import { createWorldState } from '../shared/world-state.ts'
import { type NamedFile, serveFile } from './content.ts'
import { describeFiles, routesOf } from './describe.ts'
import { createFileFields } from './fields.ts'
import { createMemoryStorage, type MemoryStorage } from './memory.ts'
import { type FieldRules, type FileOptions, toFileSettings } from './options.ts'
import { createReceiver, type Receiver } from './receive.ts'
import { parseReference } from './references.ts'
import { createUploads, type UploadTarget } from './uploads.ts'

/**
 * Lets fields of records hold files, which requests upload and which have URLs of their own. Presigned and resumable
 * uploads are at `/uploads`.
 * @throws MockError when an option is wrong
 * @example files({ users: { avatar: { types: ['image/*'], maxSize: '5MB' } } })
 */
export function files(options: FileOptions = {}): Behaviour {
  return createFiles('files', options)
}

/** Creates the behaviour `files`, or one of another name with further endpoints over its files. */
export function createFiles(
  behaviour: string,
  options: FileOptions,
  extend?: (
    world: MockContext,
    parts: FileParts,
  ) => { answer: Hook; routes: readonly ExtraRoute[]; uploads: UploadTarget },
): Behaviour {
  const settings = toFileSettings(options)
  const checkStore = checkNames('files', [...settings.fields.keys()])
  const memoryOf: (world: MockContext) => MemoryStorage = createWorldState((world) =>
    createMemoryStorage(world, (key) => isUsed(world, key), world.origin && memoryOf(world.origin)),
  )

  function isUsed({ service }: MockContext, key: string): boolean {
    return [...settings.fields].some(([name, fields]) =>
      recordsOf(service.store.resources.get(name)).some((record) =>
        keysOf(record, fields).some(([one]) => one === key),
      ),
    )
  }

  /** Keeps the files on the disk in step with the records. */
  function follow(world: MockContext, storage: () => UploadStorage): void {
    world.service.store.changes.subscribe((change) => {
      const { attach, detach } = storage()
      if (change.type === 'reloaded' || !attach || !detach) return
      if (change.type === 'reset') {
        for (const [name, fields] of settings.fields) {
          for (const record of recordsOf(world.service.store.resources.get(name))) {
            for (const [key, path] of keysOf(record, fields)) attach(key, name, path)
          }
        }
        return
      }
      const fields = settings.fields.get(change.collection)
      if (!fields) return
      const now = change.type === 'deleted' ? [] : keysOf(change.record, fields)
      for (const [key, path] of now) attach(key, change.collection, path)
      for (const [key, path] of 'previous' in change ? keysOf(change.previous, fields) : []) {
        const isKept = now.some(([one]) => one === key)
        if (!isKept && !isUsed(world, key)) detach(key, change.collection, path)
      }
    }, 'store files')
  }

  return {
    name: behaviour,
    resources: [...settings.fields.keys()],
    create(world) {
      const { service } = world
      checkStore(world)
      const memory = memoryOf(world)
      // A fork is never written to the disk.
      const storage = (): UploadStorage =>
        (world.origin ? undefined : world.files?.uploads) ?? memory
      const receiver = createReceiver(world, storage)
      const fields = createFileFields(settings, world, storage, receiver, resolve)
      const extended = extend?.(world, { receiver, open: fields.open })
      const target = extended?.uploads
      const uploads = createUploads(settings, world, storage, receiver, fields, target)
      if (!world.origin && world.files) follow(world, storage)

      /** The stored value for the URL of a file of this mock. */
      function resolve(exchange: Exchange, url: string): Json | undefined {
        const local = url.startsWith(exchange.origin) ? url.slice(exchange.origin.length) : url
        const [path = ''] = local.split(/[?#]/, 1)
        if (!path.startsWith(`${service.base}/`)) return undefined
        try {
          const { dialect, resources } = service
          const below = path.slice(service.base.length)
          const named = dialect.paths?.toNamed(below, resources.names()) ?? below
          const place = locate(service.base + named)
          if (!place) return uploads.referenceAt(below)
          return valueAt(recordAt(exchange, place), place)
        } catch (error) {
          if (error instanceof MockError) return undefined
          throw error
        }
      }

      function locate(path: string): Place | undefined {
        for (const [name, own] of settings.fields) {
          const start = `${service.base}${resourcePath('', name)}/`
          const resource = service.store.resources.get(name)
          if (!path.startsWith(start) || !resource || resource.kind === 'document') continue
          const segments = path.slice(start.length).replace(/\/$/, '').split('/').map(decodeSegment)
          const id = resource.kind === 'collection' ? segments.shift() : undefined
          const [field = '', index, ...rest] = segments
          const rules = own.get(field)
          if (!rules || rest.length > 0 || (index !== undefined && !/^\d{1,6}$/.test(index)))
            continue
          const at = index === undefined ? undefined : Number(index)
          return { resource, id, field, index: at, rules }
        }
        return undefined
      }

      function write(
        exchange: Exchange,
        { resource, id, field, index }: Place,
        change: (value: Json | undefined) => Json,
      ): MaybePromise<JsonRecord> {
        const plan = (): Write[] => {
          const previous = recordAt(exchange, { resource, id })
          const record = { ...previous }
          const value = ownValue(previous, field)
          const next = change(index === undefined || !Array.isArray(value) ? value : value[index])
          if (index === undefined || !Array.isArray(value)) define(record, field, next)
          else record[field] = value.flatMap((one, at) => (at === index ? (next ?? []) : one))
          return [{ action: 'patch', resource, previous, record, ...(id !== undefined && { id }) }]
        }
        return andThen(commit(exchange, plan), ([stored = {}]) => stored)
      }

      function receive(exchange: Exchange, place: Place, isAppend: boolean): MaybePromise<Answer> {
        const { field, rules, resource } = place
        const before = fields.open(resource.name, valueAt(recordAt(exchange, place), place))
        return andThen(receiver.receive(exchange, field, rules), ({ reference, ...file }) => {
          const change = (value: Json | undefined): Json =>
            isAppend
              ? [...(Array.isArray(value) ? value : [value ?? []].flat()), reference]
              : reference
          return andThen(write(exchange, place, change), (stored) => {
            const list = ownValue(stored, field)
            const end = isAppend && Array.isArray(list) ? `/${list.length - 1}` : ''
            const url = exchange.origin + exchange.path.replace(/\/$/, '') + end
            const isNew = isAppend || !before
            return {
              status: isNew ? 201 : 200,
              headers: isNew ? [['Location', url]] : [],
              value: { ...file, url },
            }
          })
        })
      }

      function read(exchange: Exchange, place: Place): MockResponse | Answer {
        const { resource } = place
        const value = valueAt(recordAt(exchange, place), place)
        if (Array.isArray(value)) {
          const url = exchange.origin + exchange.path.replace(/\/$/, '')
          return { status: 200, headers: [], value: fields.show(value, url) }
        }
        if (typeof value === 'string' && /^https?:/i.test(value)) {
          return { status: 302, headers: [['Location', value]], body: null }
        }
        const file = fields.open(resource.name, value)
        if (!file) throw noFile(exchange, value)
        return serveFile(exchange, file)
      }

      /** Lets the files of a form be stored while they arrive; runs after hooks that read the form themselves. */
      function prepareForm(exchange: Exchange, name: string): void {
        const { request } = exchange
        const own = settings.fields.get(name)
        if (!own || isSafe(exchange.method) || mediaType(request) !== 'multipart/form-data') return
        const rulesOf = (field: string): FieldRules | undefined =>
          own.get(field.replace(/\[\]$/, ''))
        const most = [...own.values()].reduce((sum, rules) => sum + receiver.limitOf(rules), 0)
        exchange.request = {
          ...request,
          form: (limit) => receiver.readForm(exchange, request, rulesOf, limit + most),
        }
      }

      function answer(exchange: Exchange): MaybePromise<MockResponse | Answer | undefined | void> {
        if (exchange.target) return prepareForm(exchange, exchange.target.resource.name)
        const place = locate(exchange.path)
        if (!place) return uploads.answer(exchange)
        const value = valueAt(recordAt(exchange, place), place)
        const isList = place.index === undefined && (Array.isArray(value) || place.rules.isList)
        const writes = isList ? ['POST', 'DELETE'] : ['PUT', 'POST', 'DELETE']
        const methods = ['GET', 'HEAD', ...(service.readOnly ? [] : writes), 'OPTIONS']
        const options = answerMethods(exchange, methods)
        if (options) return options
        if (isSafe(exchange.method)) return read(exchange, place)
        const current = isList ? undefined : fields.open(place.resource.name, value)
        const tags: [string, string][] = current ? [['ETag', current.bytes.tag]] : []
        if (
          evaluateConditions(exchange.headers, tags, false) !== 'go' &&
          (current || exchange.headers['if-match'] !== undefined)
        ) {
          throw preconditionFailed(exchange.request)
        }
        if (exchange.method !== 'DELETE') return receive(exchange, place, isList)
        if (value === undefined || value === null) throw noFile(exchange, value)
        return andThen(
          write(exchange, place, () => null),
          () => ({ status: 204, headers: [], value: undefined }),
        )
      }

      /** Returns records with the URL, name, type and size of their files, and null for an unknown id. @throws MockError */
      function describeRecords(input: Json): Json {
        const checks = { resource: isText, origin: isText, ids: isListOf(isText) }
        checkOptions('the request for files', input, checks, Object.keys(checks))
        const { ids } = input as { ids: string[] }
        const { resource: name, origin } = input as { resource: string; origin: string }
        const resource = service.store.resources.get(name)
        if (!resource) throw notFound(`Failed to find "${name}": there is no such resource.`)
        if (resource.kind === 'document') return []
        const records = resource.kind === 'singleton' ? [resource.get()] : ids.map(resource.get)
        return records.map((record) => (record ? fields.describe(name, record, origin) : null))
      }

      return {
        at: {
          resource: (exchange) =>
            andThen(extended?.answer(exchange), (own) => own ?? answer(exchange)),
        },
        view: fields.view,
        publish: fields.publish,
        write: fields.write,
        routes: [...routesOf(settings, service), ...uploads.routes, ...(extended?.routes ?? [])],
        describe: () => describeFiles(settings, service),
        controls: { POST: describeRecords },
        ...(!world.files && { saved: { files: memory.files, uploads: memory.uploads } }),
        reset() {
          memory.uploads.clear()
          // Snapshots outlive a reset.
          if (world.host().snapshots().length === 0) memory.removeUnused()
        },
      }
    },
  }
}

/** The receiver of uploads, and what opens the file that a stored value of a resource names. */
export interface FileParts {
  receiver: Receiver
  open(resource: string, value: Json | undefined): NamedFile | undefined
}

/** A place for a file: a field of a record, or an item of a list in it. */
interface Place {
  resource: Collection | Singleton
  id: string | undefined
  field: string
  index: number | undefined
  rules: FieldRules
}

function recordAt(
  exchange: Exchange,
  { resource, id }: Pick<Place, 'resource' | 'id'>,
): JsonRecord {
  return resource.kind === 'singleton'
    ? resource.get()
    : visibleMember(exchange, resource, id ?? '')
}

function valueAt(
  record: JsonRecord,
  { field, index }: Pick<Place, 'field' | 'index'>,
): Json | undefined {
  const value = ownValue(record, field)
  if (index === undefined) return value
  return Array.isArray(value) ? value[index] : undefined
}

function noFile({ path }: Exchange, value: Json | undefined): MockError {
  const named = parseReference(value)
  const reason = named
    ? `there is no file "${named.path}" beside the fixture`
    : 'the field has no file'
  return notFound(`Failed to find "${path}": ${reason}.`)
}

function recordsOf(resource: { kind: string } | undefined): readonly JsonRecord[] {
  const known = resource as Collection | Singleton | undefined
  if (known?.kind === 'collection') return known.records()
  return known?.kind === 'singleton' ? [known.get()] : []
}

/** The keys of uploaded files in a record, with their paths. */
function keysOf(
  record: JsonRecord,
  fields: ReadonlyMap<string, unknown>,
): [key: string, path: string][] {
  return [...fields.keys()].flatMap((field) =>
    [ownValue(record, field)].flat().flatMap((value): [string, string][] => {
      const named = parseReference(value)
      return named?.key === undefined ? [] : [[named.key, named.path]]
    }),
  )
}
