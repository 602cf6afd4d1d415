import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Json } from '../../core/json/json.ts'

/**
 * Reads a JSON or YAML value, such as an OpenAPI document or a HAR, from a `file:` or `http:` URL.
 * @throws MockError that says what cannot be read
 */
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
    if (/^\s*[{[]/.test(text)) return JSON.parse(text) as Json
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

/** The reasons, with advice, why a file cannot be read. */
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

function notRead(label: string, reason: string, cause?: unknown): MockError {
  return new MockError(`Failed to read "${label}": ${reason.replace(/\.$/, '')}.`, {
    code: 'NOT_COMPARED',
    cause,
  })
}
