import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Writes what `require` finds for each entry: a module (`.cjs`) that loads the ES module, which Node 20.19
 * can do, and its declarations (`.d.cts`). A CommonJS package gets the CommonJS declarations of MSW 2, whose
 * classes are not assignable to those of its ES declarations. So each declaration file that imports `msw`, or
 * imports such a file, is copied as CommonJS. The other entries re-export the declarations of the ES module.
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
    if (imported.some((file) => file === 'msw' || copied.has(file))) copied.add(path)
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
  if (dirname(name) !== '.') continue
  const entry = name.replace(/\.d\.ts$/, '')
  writeFileSync(join(dist, `${entry}.cjs`), await toCommonJs(entry))
  if (!copied.has(path)) {
    writeFileSync(join(dist, `${entry}.d.cts`), `export * from './${entry}.js'\n`)
  }
}

/**
 * The package has the declarations that those of its entries import. A `.npmignore` leaves out the others, which
 * the compiler needs for its next run.
 */
const needed = new Set()
const need = (path) => {
  if (needed.has(path) || !existsSync(path)) return
  needed.add(path)
  for (const specifier of specifiersOf(readFileSync(path, 'utf8'))) need(fileOf(path, specifier))
}
const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.d\.c?ts$/.test(name))
  .map((name) => name.replaceAll('\\', '/'))
for (const name of declarations) if (!name.includes('/')) need(join(dist, name))
const unneeded = declarations.filter((name) => !needed.has(join(dist, name)))
writeFileSync(join(dist, '.npmignore'), unneeded.map((name) => `/${name}\n`).join(''))

/**
 * The CommonJS module of an entry. Its last line never runs: `import()` of the module finds the names of the
 * exports there (cjs-module-lexer).
 */
async function toCommonJs(entry) {
  const names = Object.keys(await import(`../dist/${entry}.js`)).toSorted()
  const hint = names.length === 0 ? '' : `0 && (module.exports = { ${names.join(', ')} })\n`
  return `module.exports = require('./${entry}.js')\n${hint}`
}

/** The names that a declaration imports from. */
function specifiersOf(text) {
  return Array.from(text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g), ([, name]) => name)
}

/** The file of a relative import, or the name of a package. */
function fileOf(path, specifier) {
  if (!specifier.startsWith('.')) return specifier
  return resolve(dirname(path), specifier).replace(/(?<!\.d)\.(c?)[jt]s$/, '.d.$1ts')
}
