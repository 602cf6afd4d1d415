import { gzipSync } from 'node:zlib'

import { rolldown } from 'rolldown'

/** What a page downloads for some entries of the package. */
export interface Bundle {
  /** Minified and gzipped. */
  bytes: number
  /** What it still imports when it runs. */
  imports: string[]
}

/** Bundles everything that some built files export, for a page, as one minified file. */
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
    plugins: [
      {
        name: 'start',
        resolveId: (id) => (id === start ? id : null),
        load: (id) => (id === start ? text : null),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true, codeSplitting: false })
  await bundle.close()
  const [chunk] = output
  return { bytes: gzipSync(chunk.code, { level: 9 }).length, imports: chunk.imports }
}
