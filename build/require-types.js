import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Writes the declarations of the entries for `require`, which Node can load ES modules with. A CommonJS
 * package gets the CommonJS declarations of MSW 2, and the classes of its two declarations do not fit. So
 * the declarations that import `msw`, and those that import these, get a copy as CommonJS (`.d.cts`). The
 * other entries re-export their ES module.
 */
const dist = join(import.meta.dirname, '../dist')
const texts = new Map(
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => [join(dist, name), readFileSync(join(dist, name), 'utf8')]),
)
const copied = new Set()
for (let size = -1; size < copied.size;) {
  size = copied.size
  for (const [path, text] of texts) {
    const imported = specifiersOf(text).map((specifier) => fileOf(path, specifier))
    if (imported.some((one) => one === 'msw' || copied.has(one))) copied.add(path)
  }
}
for (const path of copied) {
  const text = (texts.get(path) ?? '').replaceAll(/from '(\.[^']+)\.ts'/g, (whole, specifier) =>
    copied.has(fileOf(path, `${specifier}.ts`)) ? `from '${specifier}.cts'` : whole,
  )
  writeFileSync(path.replace(/\.d\.ts$/, '.d.cts'), text)
}
for (const path of texts.keys()) {
  const name = relative(dist, path)
  if (dirname(name) !== '.' || copied.has(path)) continue
  const entry = name.replace(/\.d\.ts$/, '')
  writeFileSync(join(dist, `${entry}.d.cts`), `export * from './${entry}.js'\n`)
}

/** The names that a declaration imports from. */
function specifiersOf(text) {
  return Array.from(text.matchAll(/from '([^']+)'/g), ([, specifier]) => specifier)
}

/** The file of a relative import, or the name of a package. */
function fileOf(path, specifier) {
  if (!specifier.startsWith('.')) return specifier
  return resolve(dirname(path), specifier).replace(/\.ts$/, '.d.ts')
}
