import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { writeDeclaration } from '../../../../src/faces/vite/write-declaration.ts'
import { createFolder } from '../../loader/folder.ts'

describe('the types that are there', () => {
  const rows: [title: string, before: string, isWritten: boolean][] = [
    ['stay where they are the same', 'a\nb\n', false],
    ['stay where Git has given them the line ends of Windows', 'a\r\nb\r\n', false],
    ['give way to others', 'a\nc\n', true],
  ]

  it.each(rows)('%s', async (_, before, isWritten) => {
    const root = createFolder({ 'types.d.ts': before })
    const path = join(root, 'types.d.ts')
    const written = await writeDeclaration('a\nb\n', root, 'types.d.ts')
    expect(written).toBe(isWritten ? path : undefined)
    expect(readFileSync(path, 'utf8')).toBe(isWritten ? 'a\nb\n' : before)
  })
})
