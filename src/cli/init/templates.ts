import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Reads a template of the package, fills in its `$VALUES`, and turns it into JavaScript unless `isTypeScript`. */
export async function readTemplate(
  name: string,
  values: Values,
  isTypeScript = true,
): Promise<string> {
  const text = await readFile(join(packageRoot(), 'templates', name), 'utf8')
  const filled = text.replaceAll(/\$([A-Z]+)\b/g, (mark, key: string) => values[key] ?? mark)
  return isTypeScript ? filled : filled.replaceAll(': Request', '')
}

/** The folder of this package. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve('fixtura/package.json'))
}

/** The values of a template by their names in capitals. */
export type Values = Readonly<Record<string, string>>
