import { gzipSync } from 'node:zlib'

import { type OutputChunk, rolldown } from 'rolldown'

/** What a page downloads for some entries of the package, minified and gzipped. */
export interface Bundle {
  /** In bytes, before it sends its first request. */
  start: number
  /** In bytes, once it has used everything. */
  total: number
  /** What it still imports when it runs. */
  imports: string[]
}

/** Bundles everything that some built files export, for a page. */
export async function bundleForPage(
  files: readonly string[],
  external: readonly (string | RegExp)[],
): Promise<Bundle> {
  const start = '\0start'
  const text = files.map((file) => `export * from ${JSON.stringify(file)}`).join('\n')
  const bundle = await rolldown({
    input: start,
    external: [...external],
    platform: 'browser',
    // A page exports nothing, so that chunks may import from its own.
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      {
        name: 'start',
        resolveId: (id) => (id === start ? id : null),
        load: (id) => (id === start ? text : null),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  return {
    start: sizeOf(loadedFirst(chunks)),
    total: sizeOf(chunks),
    imports: chunks.flatMap(({ imports }) => imports).filter((name) => !names.has(name)),
  }
}

/** The chunks of the page itself, and what they import in turn. */
function loadedFirst(chunks: readonly OutputChunk[]): OutputChunk[] {
  const names = new Set(chunks.flatMap((one) => (one.isEntry ? [one.fileName] : [])))
  for (const name of names) {
    for (const one of chunks) if (one.fileName === name) one.imports.forEach((it) => names.add(it))
  }
  return chunks.filter(({ fileName }) => names.has(fileName))
}

function sizeOf(chunks: readonly OutputChunk[]): number {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}
