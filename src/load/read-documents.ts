import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Documents } from '../core/json/documents.ts'
import { codeOf, toMessage } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { type Json, isRecord, parseJson } from '../core/json/json.ts'
import { resolveUri, splitFragment } from '../core/url/uri.ts'

/** Reads JSON or YAML from a `file:` or `http:` URL. @throws MockError that says what is wrong */
export async function readValue(
  url: string,
  label: string,
  options: DownloadOptions,
): Promise<Json> {
  const text = url.startsWith('file:')
    ? await readFile(fileURLToPath(url), 'utf8').catch((error: unknown) => {
        throw notRead(label, FILE_REASONS[codeOf(error)] ?? toMessage(error), error)
      })
    : await download(url, label, options)
  try {
    if (/^\s*[{[]/.test(text)) return parseJson(text)
  } catch (error) {
    throw notRead(label, toMessage(error), error)
  }
  const { parse } = await import('yaml')
  try {
    return parse(text) as Json
  } catch (error) {
    throw notRead(label, toMessage(error), error)
  }
}

/** The options of a download. */
export interface DownloadOptions {
  headers: Readonly<Record<string, string>>
  /** The longest wait for the text, in milliseconds. */
  timeout: number
}

const FILE_REASONS: Record<string, string> = {
  ENOENT: 'there is no such file. Please check the path',
  EISDIR: 'it is a folder. Please name an OpenAPI document or a recording (HAR)',
}

async function download(
  url: string,
  label: string,
  { headers, timeout }: DownloadOptions,
): Promise<string> {
  const fail = (error: unknown): never => {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw notRead(label, isLate ? LATE : toMessage(error), error)
  }
  const signal = AbortSignal.timeout(timeout)
  const response = await fetch(url, { headers, redirect: 'error', signal }).catch(fail)
  if (!response.ok) throw notRead(label, `the server answers ${response.status}`)
  return response.text().catch(fail)
}

const LATE =
  'the server did not answer in time. Please try again, or allow more time with --timeout'

/** The error of a document; a code frame below the first line of the reason stays below the message. */
function notRead(label: string, reason: string, cause?: unknown): MockError {
  const [first = '', ...frame] = reason.trimEnd().split('\n')
  const lines = [`Failed to read "${label}": ${first.replace(/[.:]$/, '')}.`, ...frame]
  return new MockError(lines.join('\n'), {
    code: 'NOT_COMPARED',
    cause,
  })
}

/** Reads all that `$ref`s lead to, except from the network to other origins, and between the network and the disk. */
export async function readReferences(
  uri: string,
  root: Json,
  options: DownloadOptions,
): Promise<Documents> {
  const documents = new Map<string, Json>([[uri, root]])
  const left = [uri]
  for (let from = left.pop(); from !== undefined; from = left.pop()) {
    for (const reference of referencesIn(documents.get(from))) {
      const [file] = splitFragment(resolveUri(reference, from))
      if (documents.has(file) || !isSamePlace(file, uri)) continue
      documents.set(file, await readValue(file, file, options))
      left.push(file)
    }
  }
  return documents
}

function isSamePlace(file: string, uri: string): boolean {
  if (!URL.canParse(file)) return false
  return new URL(file).protocol === 'file:'
    ? uri.startsWith('file:')
    : new URL(file).origin === new URL(uri).origin
}

function referencesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' && !inner.startsWith('#')
      ? [inner]
      : referencesIn(inner),
  )
}
