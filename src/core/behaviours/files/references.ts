import { lookup, mimes } from 'mrmime'
import { toBytes } from '../../text/base64.ts'
import { isRecord, type Json } from '../../json/json.ts'

/** A file that a text in a field names, by its path from the fixture: `./img/ada.jpg`. */
export interface Reference {
  path: string
  name: string
  type: string
  /** The key of the bytes, of an uploaded file. */
  key?: string | undefined
}

/** A file in a data URL (RFC 2397). */
export interface DataFile {
  name: string
  type: string
  bytes: Uint8Array
}

/**
 * Returns the text that a field stores for an uploaded file: a path beside the fixture, and behind `#` the media type
 * if the extension says another. With `persist` the file is there.
 */
export function toReference(key: string, name: string, type: string): string {
  const safe = toSafeName(name)
  const suffix = typeOfName(safe) === type ? '' : `#${type}`
  return `./${FOLDER}/${key}-${safe}${suffix}`
}

/** The folder of uploaded files beside a fixture. Loaders ignore names that begin with an underscore. */
const FOLDER = '_files'

/** Parses the text of a field; undefined for a text that names no file beside the fixture. */
export function parseReference(value: Json | undefined): Reference | undefined {
  if (typeof value !== 'string' || !/^\.\.?\//.test(value)) return undefined
  const [path = '', ...rest] = value.split('#')
  const [, key, own] = /^\.\/_files\/([\da-z]{16})-(.*)$/s.exec(path) ?? []
  const name = own ?? path.slice(path.lastIndexOf('/') + 1)
  return { path, key, name, type: rest.join('#') || typeOfName(name) }
}

/** A name that every file system takes; the characters that one refuses become `_`. */
function toSafeName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const safe = last.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} !$&'()+,.;=@[\]_{}~-]/gu, '_')
  // Windows drops dots and spaces at the end; file systems allow 255 bytes.
  const whole = safe.replace(/[. ]+$/, '')
  const [extension = ''] = /\.[\w-]{1,16}$/.exec(whole) ?? []
  const stem = Array.from(whole.slice(0, whole.length - extension.length))
  return stem.slice(0, 50).join('') + extension || 'file'
}

/** The media type by the extension of a name. */
export function typeOfName(name: string): string {
  const type = lookup(name) ?? 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** A name for a file without one: `avatar.png`. */
export function nameOfType(stem: string, type: string): string {
  const [bare = ''] = type.split(/\s*;/)
  const usual = { 'image/jpeg': 'jpg', 'text/plain': 'txt', 'application/octet-stream': 'bin' }
  const found = Object.entries({ ...mimes }).find(([, one]) => one === bare)?.[0]
  return `${stem}.${usual[bare as keyof typeof usual] ?? found ?? 'bin'}`
}

/** The media type of an upload: what the client says, else by the name. Characters that no header has end it. */
export function typeOfUpload(given: string | undefined, name: string): string {
  const [type = ''] =
    /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=(?:[\w.+-]+|"[\w .+:-]*"))*/.exec(given ?? '') ?? []
  const isUnknown = type === '' || type === 'application/octet-stream'
  return isUnknown || type === lookup(name) ? typeOfName(name) : type.toLowerCase()
}

/** Parses a data URL, or an uploaded file that has one; undefined for another value or broken base64. */
export function parseDataFile(value: Json | undefined): DataFile | undefined {
  if (isRecord(value)) {
    const file = parseDataFile(value['url'])
    const { name, type } = value
    const known = typeof name === 'string' ? name : ''
    const given = typeof type === 'string' ? type : file?.type
    return file && { ...file, name: known, type: typeOfUpload(given, known) }
  }
  if (typeof value !== 'string' || !/^data:/i.test(value)) return undefined
  const comma = value.indexOf(',')
  if (comma < 0) return undefined
  const [given = '', ...parameters] = value
    .slice(5, comma)
    .split(';')
    .map((one) => one.trim())
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64'
  const charset = parameters.filter((one) => one.startsWith('charset='))
  const named = parameters.find((one) => /^(?:file)?name=/.test(one))
  try {
    const type = [given || 'text/plain', ...charset].join(';')
    const bytes = toContent(value.slice(comma + 1), isBase64)
    const name = named === undefined ? '' : decodeURIComponent(named.slice(named.indexOf('=') + 1))
    return { name, type: typeOfUpload(type, name), bytes }
  } catch {
    return undefined
  }
}

/** @throws an error for broken base64 */
function toContent(text: string, isBase64: boolean): Uint8Array {
  if (isBase64) return toBytes(text.includes('%') ? decodeURIComponent(text) : text)
  const ascii = text.replaceAll(/[^\x20-\x7E]+/g, encodeURIComponent)
  const binary = ascii.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Uint8Array.from(binary, (one) => one.charCodeAt(0))
}
