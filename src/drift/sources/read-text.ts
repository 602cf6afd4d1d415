import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Json } from '../../core/json/json.ts'

/** Reads a JSON or YAML value from a `file:` or `http:` URL. @throws MockError that says what cannot be read */
export async function readValue(
  url: string,
  label: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const text = url.startsWith('file:')
    ? await readFile(fileURLToPath(url), 'utf8').catch((error: unknown) => {
        throw notRead(label, FILE_REASONS[codeOf(error)] ?? toMessage(error), error)
      })
    : await download(url, label, headers)
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

/** The reasons, with advice, why a file cannot be read. */
const FILE_REASONS: Record<string, string> = {
  ENOENT: 'there is no such file. Please check the path',
  EISDIR: 'it is a folder. Please name an OpenAPI document or a recording (HAR)',
}

async function download(
  url: string,
  label: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(url, { headers, redirect: 'error' }).catch((error: unknown) => {
    throw notRead(label, toMessage(error), error)
  })
  if (!response.ok) throw notRead(label, `the server answers ${response.status}`)
  return response.text()
}

function notRead(label: string, reason: string, cause?: unknown): MockError {
  return new MockError(`Failed to read "${label}": ${reason.replace(/\.$/, '')}.`, {
    code: 'NOT_COMPARED',
    cause,
  })
}
