import type { Issue } from '../../errors/mock-error.ts'
import type { UploadStorage } from '../../fixtures/file-folder.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import type { Hooks } from '../../http/contract/hooks.ts'
import { define, isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { keyOf } from '../../store/records/collection.ts'
import { memberPath, resourcePath, toWirePath } from '../../http/routing/target.ts'
import { entityTag } from '../../http/response/record-json.ts'
import { invalid } from '../shared/invalid.ts'
import type { NamedFile } from './content.ts'
import { toFileBytes } from './memory.ts'
import { checkType, type FieldRules, fileTooLarge, type FileSettings } from './options.ts'
import type { Receiver } from './receive.ts'
import { nameOfType, parseDataFile, parseReference } from './references.ts'

/** Shows the files of records as URLs, and stores those that requests send. */
export interface FileFields extends Required<Pick<Hooks, 'view' | 'publish' | 'write'>> {
  /** Opens the file that a stored value names; undefined without one. */
  open(resource: string, value: Json | undefined): NamedFile | undefined
  /** The URLs that requests see in place of a stored value: those of the items of a list; a value without files. */
  show(value: Json, url: string): Json
  /** The record with the URL, name, type and size of each file; a missing file has a URL only. */
  describe(resource: string, record: JsonRecord, origin: string): JsonRecord
}

/** Creates the hooks on records; `resolve` returns the stored value for the URL of a file of this mock. */
export function createFileFields(
  { fields }: FileSettings,
  world: MockContext,
  storage: () => UploadStorage,
  receiver: Receiver,
  resolve: (exchange: Exchange, url: string) => Json | undefined,
): FileFields {
  const { service, files } = world
  const { store, base } = service
  /** The last presented form of each record, so that a list of many records is not copied for each request. */
  const presented = new WeakMap<JsonRecord, { origin: string; shown: JsonRecord }>()

  function isFile(value: Json | undefined): boolean {
    if (typeof value === 'string') {
      const key = parseReference(value)
      return key ? key.key !== undefined || files !== undefined : /^data:/i.test(value)
    }
    return isRecord(value) && typeof value['url'] === 'string' && /^data:/i.test(value['url'])
  }

  function show(value: Json, url: string, toShown = toUrl): Json {
    const showOne = (one: Json, place: string) => (isFile(one) ? toShown(one, place) : one)
    if (!Array.isArray(value)) return showOne(value, url)
    return value.some(isFile) ? value.map((one, at) => showOne(one, `${url}/${at}`)) : value
  }

  /** The record with URLs below `origin`, or other values in place of files; the record itself without files. */
  function present(name: string, record: JsonRecord, origin: string, toShown = toUrl): JsonRecord {
    let shown = record
    for (const field of fields.get(name)?.keys() ?? []) {
      const value = ownValue(record, field)
      if (value === undefined || value === null) continue
      const url = `${origin}${pathOf(name, record)}/${encodeURIComponent(field)}`
      const next = show(value, url, toShown)
      if (next === value) continue
      if (shown === record) shown = { ...record }
      define(shown, field, next)
    }
    return shown
  }

  function pathOf(name: string, record: JsonRecord): string {
    const resource = store.resources.get(name)
    const isMember = resource?.kind === 'collection'
    const path = isMember
      ? memberPath(base, name, keyOf(resource, record))
      : resourcePath(base, name)
    return toWirePath(path, service)
  }

  /** The value to store for what a request sends; adds what is wrong with it to the issues. */
  function convert(
    value: Json,
    [rules, exchange, previous]: readonly [FieldRules, Exchange, Json | undefined],
    path: Issue['path'],
    issues: Issue[],
  ): Json {
    if (value === null || value === '') return value
    if ([previous].flat().some((one) => isSame(one, value))) return value
    const reference = isRecord(value) ? value['url'] : value
    if (typeof reference === 'string' && receiver.isAccepted(exchange, reference)) {
      checkStored(reference, rules)
      return reference
    }
    const file = parseDataFile(value)
    if (file) return receiver.store(exchange, file, rules).reference
    const text = typeof value === 'string' ? value : ''
    const isPending = text.startsWith(`${exchange.origin}${base}/uploads/`)
    if (/^https?:\/\/./i.test(text) && !isPending) return value
    const message = isPending
      ? 'is an upload that is not complete'
      : /^data:/i.test(text)
        ? 'is no valid data URL'
        : 'is not a file; please send a file of a form, a data URL, or the URL of an upload or of another site'
    issues.push({ path, message })
    return value
  }

  /** @throws MockError 413 or 415 for a file, such as a finished upload, that the field does not take */
  function checkStored(reference: string, rules: FieldRules): void {
    const named = parseReference(reference)
    if (!named) return
    checkType(rules, named)
    const size = named.key === undefined ? undefined : storage().bytes(named.key)?.size
    if (size !== undefined && size > receiver.limitOf(rules)) {
      throw fileTooLarge(receiver.limitOf(rules), named.name)
    }
  }

  function write(write: Write, exchange: Exchange): void {
    const { resource, record, previous = {} } = write
    const own = fields.get(resource.name)
    if (!own || !record) return
    const issues: Issue[] = []
    const stored = { ...record }
    for (const [field, rules] of own) {
      const value = ownValue(record, field)
      const before = ownValue(previous, field)
      if (value === undefined || isSame(value, before)) continue
      const context = [rules, exchange, before] as const
      const list = rules.isList && !Array.isArray(value) && value !== null ? [value] : value
      const next = Array.isArray(list)
        ? list.map((one, at) => convert(one, context, [field, at], issues))
        : convert(list, context, [field], issues)
      define(stored, field, next)
    }
    if (issues.length > 0) throw invalid(write, issues, exchange)
    write.record = stored
  }

  function open(resource: string, value: Json | undefined): NamedFile | undefined {
    if (value === undefined) return undefined
    const named = parseReference(value)
    if (named) {
      const { name, type, key, path } = named
      const bytes = files?.open(resource, path) ?? (key && storage().bytes(key))
      return bytes ? { name, type, bytes } : undefined
    }
    const file = parseDataFile(value)
    if (!file) return undefined
    const name = file.name || nameOfType('file', file.type)
    return { ...file, name, bytes: toFileBytes(file.bytes, entityTag(JSON.stringify(value))) }
  }

  return {
    show,
    write,
    open,
    describe: (resource, record, origin) =>
      present(resource, record, origin, (value, url) => {
        const file = open(resource, value)
        return file ? { url, name: file.name, type: file.type, size: file.bytes.size } : { url }
      }),
    publish: (name, record) => present(name, record, ''),
    view(name, exchange) {
      const own = fields.get(name)
      if (!own) return undefined
      const back = (value: Json): Json => {
        const stored = typeof value === 'string' ? resolve(exchange, value) : undefined
        if (stored === undefined) return value
        if (typeof stored === 'string') receiver.accept(exchange, stored)
        return stored
      }
      return {
        present(record) {
          const known = presented.get(record)
          if (known?.origin === exchange.origin) return known.shown
          const shown = present(name, record, exchange.origin)
          presented.set(record, { origin: exchange.origin, shown })
          return shown
        },
        toStored(sent) {
          const stored = { ...sent }
          for (const field of own.keys()) {
            const value = ownValue(sent, field)
            if (typeof value === 'string') define(stored, field, back(value))
            else if (Array.isArray(value)) define(stored, field, value.map(back))
          }
          return stored
        },
      }
    },
  }
}

const toUrl = (_file: Json, url: string): Json => url
