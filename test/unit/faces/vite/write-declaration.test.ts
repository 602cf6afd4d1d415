import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { writeDeclaration } from '../../../../src/faces/vite/write-declaration.ts'
import { createFolder, type Files } from '../../loader/folder.ts'

describe('the types that are there', () => {
  const rows: [title: string, before: string, isWritten: boolean][] = [
    ['stay if they are the same', 'a\nb\n', false],
    ['stay if only the line ends are those of Windows', 'a\r\nb\r\n', false],
    ['are replaced by others', 'a\nc\n', true],
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
    ['are not written without TypeScript', { 'src/main.ts': '' }, undefined],
    ['are written to the path of the option', { 'src/main.ts': '' }, 'types.d.ts', 'types.d.ts'],
    ['are not written with the option false', { 'tsconfig.json': {} }, false],
  ]

  it.each(rows)('%s', async (_, files, types, place) => {
    const root = createFolder(files)
    const path = place && join(root, place)
    expect(await writeDeclaration('a\n', root, types)).toBe(path)
    if (path) expect(readFileSync(path, 'utf8')).toBe('a\n')
  })
})
