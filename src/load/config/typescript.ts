import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isModuleInCommonJs, type Load } from '../../loader/read/import-data.ts'

/**
 * Returns a function that imports TypeScript modules: with Node from 22.18 on, which strips types, or otherwise
 * with `jiti`, an optional peer. `label` names the file in messages.
 * @throws MockError with the command that installs jiti
 */
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
    throw new MockError(
      `Failed to read "${label}": Node ${process.version} reads TypeScript with jiti only. Please run "npm install --save-dev jiti", or use Node 22.18 or later.`,
      { code: 'CONFIG_INVALID', cause },
    )
  })
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  return (url) => jiti.import(fileURLToPath(url))
}
