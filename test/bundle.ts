import { gzipSync } from 'node:zlib'

import { rolldown } from 'rolldown'

/** The download size of some entries of the package, minified and gzipped. */
export interface Bundle {
  /** In bytes, of all files together. */
  bytes: number
  /** The number of files: one, where nothing is imported dynamically. */
  files: number
  /** The modules that the bundle still imports at run time. */
  imports: string[]
}

/** Bundles all exports of some built files for a page. */
export async function bundleForPage(
  files: readonly string[],
  external: readonly (string | RegExp)[],
): Promise<Bundle> {
  const page = '\0page'
  const text = files.map((file) => `export * from ${JSON.stringify(file)}`).join('\n')
  const bundle = await rolldown({
    input: page,
    external: [...external],
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? page : null),
        load: (id) => (id === page ? text : null),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  return {
    bytes: chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
    files: chunks.length,
    imports: chunks.flatMap(({ imports }) => imports).filter((name) => !names.has(name)),
  }
}
