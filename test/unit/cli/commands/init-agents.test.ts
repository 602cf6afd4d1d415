import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

async function init(cwd: string): Promise<string> {
  const io = createFakeIo({ cwd })
  expect([await main(['init', '--agents'], io), io.err()]).toEqual([0, ''])
  return io.out()
}

it('writes AGENTS.md with the base of the mock and the skills', async () => {
  const cwd = createFolder({ 'mock.config.json': { base: '/v2' }, 'fixtures/posts.json': [] })
  expect(await init(cwd)).toContain('wrote  AGENTS.md')
  const text = readFileSync(join(cwd, 'AGENTS.md'), 'utf8')
  expect(text).toContain('`posts.json` is `/v2/posts`')
  expect(text).toMatch(
    /\[fixtura-vite\]\(node_modules\/fixtura\/skills\/fixtura-vite\/SKILL.md\): Set up/,
  )
  expect(text).not.toContain('$')
})

it('updates its part of AGENTS.md, and keeps the rest', async () => {
  const cwd = createFolder({ 'AGENTS.md': '# Ours\n\nA rule.\n' })
  expect(await init(cwd)).toContain('added  AGENTS.md')
  const path = join(cwd, 'AGENTS.md')
  const first = readFileSync(path, 'utf8')
  expect(first).toMatch(/^# Ours\n\nA rule\.\n\n<!-- fixtura: begin/)
  writeFileSync(path, `${first.replace('## The mock API', '## Old')}\nAnother rule.\n`)
  await init(cwd)
  expect(readFileSync(path, 'utf8')).toBe(`${first}\nAnother rule.\n`)
  expect(await init(cwd)).toContain('kept   AGENTS.md')
})
