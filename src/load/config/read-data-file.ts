import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { diagnoseEncoding, diagnoseSyntax, formatDiagnostic } from '../../loader/check/diagnose.ts'
import { type FixtureFile, toLabel } from '../../loader/discover/discover.ts'
import { importModule } from '../../loader/read/import-data.ts'
import { parseText } from '../../loader/text/parse.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { toText } from '../../loader/read/read-file.ts'
import { createTypeScriptLoad, isTypeScript } from './typescript.ts'

/**
 * Reads the value of a file that belongs to the configuration: JSON, JSON5, or the export of a module, which
 * `importValue` imports; by default, an exported function is called for the value.
 * @throws MockError with file, line, column and code frame
 */
export async function readDataFile(
  path: string,
  cwd: string,
  importValue: typeof importModule = importModule,
): Promise<unknown> {
  const full = resolve(cwd, path)
  const label = toLabel(full, cwd)
  const file: FixtureFile = { path: full, label, kind: 'resource', name: '' }
  const bytes = await readFile(full).catch(async (error: unknown) => {
    throw toError(formatDiagnostic(await findPathProblem(full, label, error)), error)
  })
  if (!isUtf8(bytes)) throw toError(formatDiagnostic(diagnoseEncoding(file)))
  const text = toText(bytes)
  const extension = extname(full)
  const isJson = /^\.json[c5]?$/.test(extension)
  if (isJson && text.trim() === '') {
    throw toError(`Failed to read "${label}": it is empty. Please write {} into it.`)
  }
  const load = isTypeScript(full) ? await createTypeScriptLoad(label) : undefined
  const read = isJson ? parseText(text, extension) : await importValue(full, 'config', load)
  if ('problem' in read) throw toError(formatDiagnostic(diagnoseSyntax(file, text, read)))
  return read.value
}

function toError(message: string, cause?: unknown): MockError {
  return new MockError(message, { code: 'CONFIG_INVALID', cause })
}
