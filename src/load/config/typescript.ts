import { extname } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'

/** Whether a file is TypeScript that this version of Node cannot import: before 22.18 it does not strip types. */
export function needsJiti(path: string): boolean {
  const isStripping = 'typescript' in process.features && process.features.typescript
  return !isStripping && /^\.[cm]?ts$/.test(extname(path))
}

/**
 * Loads `jiti`, an optional peer, and returns its import of TypeScript modules, without the caches that an
 * edit would outlive. `label` names the file in messages.
 * @throws MockError with the command that installs jiti
 */
export async function loadJiti(label: string): Promise<(path: string) => Promise<unknown>> {
  const { createJiti } = await import('jiti').catch((cause: unknown) => {
    throw new MockError(
      `Failed to read "${label}": Node ${process.version} reads TypeScript with jiti only. Please run "npm install --save-dev jiti", or use Node 22.18 or later.`,
      { code: 'CONFIG_INVALID', cause },
    )
  })
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  return (path) => jiti.import(path)
}
