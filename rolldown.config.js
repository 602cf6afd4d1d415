import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The entries of the package that need Node; any other can be in a page or a worker. */
const nodeEntries = ['node', 'ssr', 'vite', 'vitest', 'playwright']

/** The files that the package exports, and each behaviour, as a page takes but some. */
const entries = [
  ...readFileSync('package.json', 'utf8').matchAll(/"\.\/dist\/(\w+)\.js"/g),
  ...readFileSync('src/behaviours.ts', 'utf8').matchAll(/'\.\/(core\/behaviours\/[\w/-]+)\.ts'/g),
]
  .map(([, name]) => name)
  // The option `resources` uses these, so that they are in the file of the core: files of their own would import it,
  // and it them.
  .filter((name) => !/^core\/behaviours\/(?:fields|shared)\//.test(name))

/** The names of the chunks that are loaded at a start, by module. */
const chunks = new Map()

// Files with other names would be left from an earlier build.
for (const folder of ['parts', 'command']) {
  rmSync(`dist/${folder}`, { recursive: true, force: true })
}

export default [
  studio(),
  build(
    {
      'command/main': 'cli/main',
      'command/learning-worker': 'record/session/learning-worker',
      ...Object.fromEntries(entries.map((name) => [name, name])),
    },
    { dir: 'dist', chunkFileNames: 'parts/[name].js' },
  ),
  build({ docs: 'studio/docs' }, { dir: 'dist/studio' }),
]

/** Bundles modules of `src`, by the names of their files. */
function build(input, output) {
  return {
    input: Object.fromEntries(
      Object.entries(input).map(([file, module]) => [file, `src/${module}.ts`]),
    ),
    platform: 'neutral',
    logLevel: 'silent',
    external: (id) => /^[^./]/.test(id) && !isBundled(id),
    plugins: [
      { name: 'licenses', generateBundle: emitLicenses },
      { name: 'find-chunks', buildEnd: findChunks },
      { name: 'home-files', load: loadHomeFiles },
    ],
    output: {
      ...output,
      // The declarations have these comments, so that the package is a tenth smaller without them here.
      comments: { jsdoc: false },
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: (id) => chunks.get(id) ?? null }],
      },
    },
  }
}

/** The packages of the questions of `mock init`, which are bundled, so that they are not installed. */
function isBundled(id) {
  return /^(?:@clack\/|sisteransi|fast-(?:wrap-ansi|string-))/.test(id)
}

/**
 * Puts what is loaded at once into one file, as Node takes longer to find many files than to run them. The core
 * is in `start`; what the command loads besides is in `control` if workers and service workers share it, in
 * `server` if `fixtura/node` does, else in `command`.
 */
function findChunks() {
  const reach = (names, isDynamic) => {
    const reached = new Set()
    const visit = (id) => {
      const module = this.getModuleInfo(id)
      if (!module || module.isExternal || reached.has(id)) return
      reached.add(id)
      module.importedIds.forEach(visit)
      if (isDynamic) module.dynamicallyImportedIds.forEach(visit)
    }
    names.forEach((name) => visit(resolve(`src/${name}.ts`)))
    return reached
  }
  const pages = entries.filter((name) => !nodeEntries.includes(name))
  const core = reach(['index'])
  const command = reach(['cli/main', 'cli/commands/server'])
  const owners = [
    [
      'start',
      reach(pages.filter((name) => !['browser', 'storybook', 'studio', 'worker'].includes(name))),
    ],
    ['control', reach(pages, true)],
    ['server', reach(['node'])],
    ['command', command],
  ]
  for (const id of [...core, ...command]) {
    // An entry has a file of its own, with its exports alone.
    if (!this.getModuleInfo(id).isEntry) chunks.set(id, owners.find(([, ids]) => ids.has(id))[0])
  }
}

/** The page at `/`, with the packages that it uses. Its parts that are opened later are files of their own. */
function studio() {
  return {
    input: { app: 'src/studio/app/main.tsx' },
    platform: 'browser',
    logLevel: 'silent',
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [{ name: 'studio-assets', generateBundle: emitAssets }],
    output: {
      dir: 'dist/studio/home',
      cleanDir: true,
      minify: true,
      // The page runs `start.js`, which asks for the first data, while it loads `app.js`, which has the views. No part
      // that is loaded later imports from these: blobs cannot import one another in a circle.
      chunkFileNames: ({ name }) => (name === 'start' ? 'start.js' : '[name]-[hash].js'),
      codeSplitting: { groups: [{ name: 'start', test: /[\\/]studio[\\/]app[\\/]start\.ts$/ }] },
    },
  }
}

/** Fills in the files of the page, which are built before. */
function loadHomeFiles(id) {
  if (!/[\\/]studio[\\/]home-files\.ts$/.test(id)) return undefined
  const folder = 'dist/studio/home'
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name))
  const files = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  return `export const homeFiles = ${JSON.stringify(Object.fromEntries(files))}`
}

/** Emits the style of the page, and the licenses of the packages in its files. */
function emitAssets() {
  const styles = ['tokens', 'base', 'layout', 'grid'].map((name) =>
    readFileSync(`src/studio/style/${name}.css`, 'utf8'),
  )
  this.emitFile({ type: 'asset', fileName: 'style.css', source: styles.join('') })
  emitLicenses.call(this)
}

/** Emits the licenses of the packages that are bundled. */
function emitLicenses() {
  const folders = Array.from(this.getModuleIds()).flatMap(
    (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
  )
  const licenses = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = join(folder, 'LICENSE')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : `${license} license, ${author}`
    return `${name} ${version}\n\n${text}`
  })
  if (licenses.length === 0) return
  this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: licenses.join('\n---\n\n') })
}
