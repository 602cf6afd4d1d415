import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

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

/** A new folder with the built package and other packages of this repository. */
export function createProject(packages: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-page-')))
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 }))
  writeFile(folder, 'package.json', '{ "type": "module" }')
  for (const name of ['fixtura', ...packages]) {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(
      name === 'fixtura' ? root : realpathSync(join(root, 'node_modules', name)),
      path,
      'dir',
    )
  }
  return folder
}

/** Writes a file, and the folders that it is in. */
export function writeFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes all files of a page. */
export function writeFiles(folder: string, page: string): void {
  for (const { path, code } of blocksOf(page)) {
    if (path !== undefined) writeFile(folder, path, code)
  }
}
