import { readFileSync } from 'node:fs'

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
  build({ dir: 'dist/studio' }, { app: 'src/studio/app.ts' }),
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
    plugins: [{ name: 'find-start', buildEnd: findStart }],
    output: { ...output, codeSplitting: { groups } },
  }
}
