/** The modules that the command has loaded before anything is asked of it, and those of the server. */
const start = new Set()
const entries = /\/src\/cli\/(?:main|commands\/server)\.ts$/

/** Puts the command into few files, as Node takes longer to find many than to run them. */
export default {
  input: { main: 'src/cli/main.ts' },
  platform: 'node',
  logLevel: 'silent',
  external: /^[^./]/,
  plugins: [{ name: 'find-start', buildEnd: findStart }],
  output: {
    dir: 'dist/command',
    cleanDir: true,
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'start', test: (id) => start.has(id) }] },
  },
}

function findStart() {
  const visit = (id) => {
    const { isExternal, importedIds } = this.getModuleInfo(id) ?? { isExternal: true }
    if (isExternal || start.has(id)) return
    start.add(id)
    importedIds.forEach(visit)
  }
  for (const id of this.getModuleIds()) if (entries.test(id)) visit(id)
}
