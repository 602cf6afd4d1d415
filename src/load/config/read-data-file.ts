import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configError } from '../../core/errors/mock-error.ts'
import { diagnoseEncoding, diagnoseSyntax, formatDiagnostic } from '../../loader/check/diagnose.ts'
import { type FixtureFile, toLabel } from '../../loader/discover/discover.ts'
import { importModule, isModuleInCommonJs, type Load } from '../../loader/read/import-data.ts'
import { parseText } from '../../loader/text/parse.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { toText } from '../../loader/read/read-file.ts'
import { digest } from '../../loader/read/stable-read.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'

/** Reads a JSON, JSON5 or, by `importValue`, module file. @throws MockError with file, line, column and code frame */
export async function readDataFile(
  path: string,
  cwd: string,
  importValue: typeof importModule = importModule,
): Promise<unknown> {
  const full = resolve(cwd, path)
  const label = toLabel(full, cwd)
  const file: FixtureFile = { path: full, label, kind: 'resource', name: '' }
  const bytes = await readFile(full).catch(async (error: unknown) => {
    throw configError(formatDiagnostic(await findPathProblem(full, label, error)), error)
  })
  if (!isUtf8(bytes)) throw configError(formatDiagnostic(diagnoseEncoding(file)))
  const text = toText(bytes)
  const extension = extname(full)
  const isJson = /^\.json[c5]?$/.test(extension)
  if (isJson && text.trim() === '') {
    throw configError(`Failed to read "${label}": it is empty. Please write {} into it.`)
  }
  const load = isTypeScript(full) ? await createTypeScriptLoad(label) : undefined
  // Node caches modules by URL, so each content of a saved file needs a URL of its own.
  const version = `config-${digest(bytes)}`
  const read = isJson ? parseText(text, extension) : await importValue(full, version, load)
  if ('problem' in read) throw configError(formatDiagnostic(diagnoseSyntax(file, text, read)))
  return read.value
}

/** Imports TypeScript by Node from 22.18 on, else by `jiti`. @throws MockError with the command that installs jiti */
export async function createTypeScriptLoad(label: string): Promise<Load> {
  const isStripping = 'typescript' in process.features && process.features.typescript
  if (!isStripping) return loadJiti(label)
  return async (url) => {
    try {
      return (await import(url.href)) as unknown
    } catch (error) {
      const load = needsJiti(error) ? await loadJiti(label).catch(() => undefined) : undefined
      if (!load) throw error
      return load(url)
    }
  }
}

/** Whether a file is a TypeScript module. */
export function isTypeScript(path: string): boolean {
  return /^\.[cm]?ts$/.test(extname(path))
}

/** Whether Node cannot import a module that jiti can: an `enum`, or an ES module in a CommonJS package. */
function needsJiti(error: unknown): boolean {
  return (
    codeOf(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' || isModuleInCommonJs(toMessage(error))
  )
}

/** Returns a function that imports modules with jiti. Without its caches, jiti reads an edited file again. */
async function loadJiti(label: string): Promise<Load> {
  const { createJiti } = await import('jiti').catch((cause: unknown) => {
    throw configError(
      `Failed to read "${label}": Node ${process.version} reads TypeScript with jiti only. Please run "npm install --save-dev jiti", or use Node 22.18 or later.`,
      cause,
    )
  })
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  return (url) => jiti.import(fileURLToPath(url))
}
