import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that the package exports, the core's first, and each behaviour, as a page takes but some. */
const entries = [
  ...readFileSync('package.json', 'utf8').matchAll(/"\.\/dist\/(\w+)\.js"/g),
  ...readFileSync('src/behaviours.ts', 'utf8').matchAll(/'\.\/(core\/behaviours\/[\w/-]+)\.ts'/g),
]

/**
 * Puts what is loaded at once into one file, as Node takes longer to find many than to run them. The
 * command is apart: its start holds more of the core than a page loads.
 */
export default [
  studio(),
  build(
    { dir: 'dist', chunkFileNames: 'parts/[name].js' },
    Object.fromEntries(entries.map(([, name]) => [name, `src/${name}.ts`])),
    /[\\/]src[\\/]index\.ts$/,
  ),
  build(
    { dir: 'dist/command', cleanDir: true, chunkFileNames: '[name].js' },
    { main: 'src/cli/main.ts' },
    /[\\/]src[\\/]cli[\\/](?:main|commands[\\/]server)\.ts$/,
  ),
  build({ dir: 'dist/studio' }, { docs: 'src/studio/docs.ts' }),
]

/** The modules that `first` names go into one file, `start`, with all that they need. */
function build(output, input, first = /^$/) {
  const start = new Set()
  function findStart() {
    const visit = (id) => {
      const { isExternal, importedIds } = this.getModuleInfo(id) ?? { isExternal: true }
      if (isExternal || start.has(id)) return
      start.add(id)
      importedIds.forEach(visit)
    }
    for (const id of this.getModuleIds()) if (first.test(id)) visit(id)
  }
  const groups = [{ name: 'start', test: (id) => start.has(id) }]
  return {
    input,
    platform: 'neutral',
    logLevel: 'silent',
    external: /^[^./]/,
    plugins: [
      { name: 'find-start', buildEnd: findStart },
      { name: 'home-files', load: loadHomeFiles },
    ],
    output: { ...output, codeSplitting: { groups } },
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
      // The application is one file. No part that is loaded later imports from it: blobs cannot import one another in a circle.
      chunkFileNames: '[name]-[hash].js',
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
  const styles = ['base', 'layout', 'grid'].map((name) =>
    readFileSync(`src/studio/style/${name}.css`, 'utf8'),
  )
  this.emitFile({ type: 'asset', fileName: 'style.css', source: styles.join('') })
  const folders = Array.from(this.getModuleIds()).flatMap(
    (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
  )
  const licenses = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`
  })
  this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: licenses.join('\n---\n\n') })
}
