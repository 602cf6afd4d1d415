import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A block of a page: a file, a command line, or a session on a terminal. */
export interface Block {
  language: string
  /** The tab of a group that the block is, such as `React`. */
  label: string | undefined
  /** The path of the file that the block is; undefined for other blocks. */
  path: string | undefined
  /** The text without the line that names the file. */
  code: string
}

/** The names of all pages, relative to `docs`. */
export const pages: readonly string[] = readdirSync(join(root, 'docs'), {
  recursive: true,
  encoding: 'utf8',
})
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !/node_modules|\.vitepress/.test(name))

/** A block, with the line before it, which names a file that cannot have a comment: "`fixtures/posts.json`:". */
const fenced =
  /(?:^`(?<before>[^`\n]+)`:\n\n)?^```(?<language>\w+)(?: \[(?<label>\w+)\])?\n(?<code>[^]*?)^```$/gm

/** The path in the first line of a file: `// test/mock.ts` or `<!-- src/Posts.vue -->`. */
const named = /^(?:\/\/|<!--) (?<name>[\w@()[\]./-]+\.\w+)(?: -->)?\n/

/** The blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return Array.from(text.matchAll(fenced), ({ groups = {} }) => {
    const { before, language = '', label, code = '' } = groups
    const path = before ?? named.exec(code)?.groups?.['name']
    return { language, label, path, code: path === undefined ? code : code.replace(named, '') }
  })
}

/** The files of pages by their paths; without a label, those of the tabs of React. A later file replaces an earlier one. */
export function filesOf(names: readonly string[], label = 'React'): Map<string, string> {
  const blocks = names.flatMap(blocksOf).filter((block) => (block.label ?? label) === label)
  return new Map(
    blocks.flatMap(({ path, code }) => (path === undefined ? [] : [[path, code] as const])),
  )
}
