import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

/** The text of each file by its path; what is no text is written as indented JSON. */
export type Files = Record<string, unknown>

/** Makes a temporary folder with these files, removed when the test has finished. */
export function createFolder(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), toContent(content))
  }
  return folder
}

/** Whether this process may make links: on Windows not everybody may. */
export const canLink: boolean = process.platform !== 'win32' || makesLinks()

function makesLinks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
  try {
    symlinkSync(folder, join(folder, 'link'))
    return existsSync(join(folder, 'link'))
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function toContent(content: unknown): string | Buffer {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content
  return JSON.stringify(content, null, 2)
}
