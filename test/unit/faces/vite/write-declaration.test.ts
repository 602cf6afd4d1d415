import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { writeDeclaration } from '../../../../src/faces/vite/write-declaration.ts'
import { createFolder, type Files } from '../../loader/folder.ts'

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

describe('the types', () => {
  const rows: [title: string, files: Files, types: string | false | undefined, place?: string][] = [
    [
      'go to the sources of a project with TypeScript',
      { 'tsconfig.json': {}, 'src/main.ts': '' },
      undefined,
      'src/virtual-fixtura.d.ts',
    ],
    [
      'go beside its configuration where there is no folder of them',
      { 'tsconfig.json': {} },
      undefined,
      'virtual-fixtura.d.ts',
    ],
    ['go nowhere without TypeScript', { 'src/main.ts': '' }, undefined],
    ['go where they are wanted', { 'src/main.ts': '' }, 'types.d.ts', 'types.d.ts'],
    ['go nowhere where they are not', { 'tsconfig.json': {} }, false],
  ]

  it.each(rows)('%s', async (_, files, types, place) => {
    const root = createFolder(files)
    const path = place && join(root, place)
    expect(await writeDeclaration('a\n', root, types)).toBe(path)
    if (path) expect(readFileSync(path, 'utf8')).toBe('a\n')
  })
})
