import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
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
import { join, posix } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

import { afterAll, describe, expect, it } from 'vitest'

import { sidebar } from '../docs/.vitepress/sidebar.ts'
import { toSlug } from '../docs/.vitepress/slug.ts'
import { helpAnchors, placesOf } from '../src/cli/output/help-places.ts'

const root = join(import.meta.dirname, '..')

/** A program in a document, followed by its output. */
const example = /```js\n(?<code>(?:(?!```)[^])*)```\n+```text\n(?<output>[^]*?)```/g

/** The skills of coding agents. */
const skills = readdirSync(join(root, 'skills'))

/** The documents with programs. */
const documents = [
  ...pathsIn('docs').map((name) => `docs/${name}`),
  ...skills.map((name) => `skills/${name}/SKILL.md`),
].filter((name) => readFileSync(join(root, name), 'utf8').search(example) >= 0)

it.each(skills)('has a name, a description and a program in the skill %s', (name) => {
  const text = readFileSync(join(root, 'skills', name, 'SKILL.md'), 'utf8')
  const [, front = ''] = /^---\n([^]*?)\n---\n/.exec(text) ?? []
  expect(front).toMatch(new RegExp(`^name: ${name}\ndescription: .{40,}$`))
  expect(documents).toContain(`skills/${name}/SKILL.md`)
})

it('has a place in the sidebar and a description for every page', () => {
  const pages = pathsIn('docs').filter((name) => name !== 'index.md')
  const listed = sidebar.flatMap((section) => ('items' in section ? section.items : [section]))
  expect(listed.map(({ link }) => `${link.slice(1)}.md`).toSorted()).toEqual(pages.toSorted())
  const descriptions = pages.map((name) =>
    /^---\n(?:.*\n)*?description: ['"]?(\w.*)/.exec(readFileSync(join(root, 'docs', name), 'utf8')),
  )
  expect(pages.filter((_, index) => descriptions[index] === null)).toEqual([])
})

it('has at most 900 words, without those of programs, in each page that is no reference', () => {
  const wordsOf = (name: string): number =>
    readFileSync(join(root, 'docs', name), 'utf8')
      .replaceAll(/^(```|---\n)[^]*?^\1/gm, '')
      .split(/\s+/)
      .filter((word) => /\w/.test(word)).length
  const pages = pathsIn('docs').filter((name) =>
    /^(?:start|set-up|guides|speak|stay-true|coming-from)\//.test(name),
  )
  expect(pages.length).toBeGreaterThan(60)
  const long = pages
    .map((name) => [name, wordsOf(name)] as const)
    .filter(([, words]) => words > 900)
  expect(long).toEqual([])
})

it('has no misspelt word', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['docs/.vitepress/spelling.js'], {
    cwd: root,
  }).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

it('has links to files and headings that exist', () => {
  const pages = [...pathsIn('docs').map((name) => `docs/${name}`), 'README.md', 'CHANGELOG.md']
  const texts = new Map(
    pages.map((path) => [
      path,
      readFileSync(join(root, path), 'utf8').replaceAll(/^```[^]*?^```/gm, ''),
    ]),
  )
  const anchorsOf = (path: string): string[] =>
    Array.from(
      texts.get(path)?.matchAll(/^#+ (.*)$/gm) ?? [],
      ([, heading = '']) =>
        /\{#([\w-]+)\}/.exec(heading)?.[1] ??
        toSlug(heading.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
    )
  let count = 0
  const dead = [...texts].flatMap(([from, text]) =>
    Array.from(
      text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
      ([, file = '', anchor]) => {
        count++
        const to = file === '' ? from : posix.join(posix.dirname(from), file)
        if (!existsSync(join(root, to))) return `${from}: ${to} does not exist`
        if (anchor === undefined || anchorsOf(to).includes(anchor)) return ''
        return `${from}: ${to} has no heading #${anchor}`
      },
    ),
  )
  expect(count).toBeGreaterThan(100)
  // VitePress would evaluate it as an expression of Vue.
  expect([...texts].filter(([, text]) => text.includes('{{')).map(([path]) => path)).toEqual([])
  expect(dead.filter((line) => line !== '')).toEqual([])
})

describe.each(documents)('%s', (name) => {
  const page = readFileSync(join(root, name), 'utf8')
  const programs = [...page.matchAll(example)].map(({ groups = {}, index }) => {
    const title =
      page
        .slice(0, index)
        .match(/^#+ .*$/gm)
        ?.at(-1) ?? ''
    return [title, groups['code'] ?? '', groups['output'] ?? ''] as const
  })

  it.each(programs)(
    'prints the output that the document shows under "%s"',
    async (_, code, output) => {
      expect(await run(code)).toBe(output)
    },
  )
})

it('has programs about code of your own that keep to the types', async () => {
  const pages = ['errors', 'hooks', 'write-a-dialect', 'write-your-own'].map((name) =>
    readFileSync(join(root, `docs/reference/${name}.md`), 'utf8'),
  )
  const names = Array.from(pages.join('\n').matchAll(example), ({ groups = {} }, index) => {
    writeFileSync(join(folder, `own-${index}.mjs`), groups['code'] ?? '')
    return `own-${index}.mjs`
  })
  expect(names.length).toBeGreaterThan(10)
  const options = '--noEmit --pretty false --allowJs --checkJs --strict --noImplicitAny false'
  const target = '--target es2023 --lib es2023,dom,dom.iterable --module nodenext --skipLibCheck'
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, ...`${options} ${target}`.split(' '), ...names]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

it('has messages in docs/it-does-not-work.md as the code throws them', () => {
  const page = readFileSync(join(root, 'docs/it-does-not-work.md'), 'utf8')
  const messages = [...page.matchAll(/```text\n([^]*?)```/g)].flatMap(([, lines = '']) =>
    lines.split('\n').filter((line) => line !== ''),
  )
  expect(messages.length).toBeGreaterThan(40)
  const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n')
  // Names and numbers of a message are not in the code, nor are words that the code puts together.
  const share = (message: string): number => {
    const words = message.replaceAll(/"[^"]*"|\d+/g, '…').split(' ')
    const runs = words.slice(2).map((_, index) => words.slice(index, index + 3).join(' '))
    const known = runs.filter((run) => !run.includes('…'))
    return known.length === 0
      ? 1
      : known.filter((run) => source.includes(run)).length / known.length
  }
  expect(messages.filter((message) => share(message) < 0.4)).toEqual([])
})

describe('docs/it-does-not-work.md', () => {
  const page = readFileSync(join(root, 'docs/it-does-not-work.md'), 'utf8')
  /** The sections with their anchors and the messages in them. */
  const sections = page
    .split(/^(?=##)/m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n')
      const anchor = /\{#([\w-]+)\}/.exec(heading)?.[1] ?? toSlug(heading.replace(/^#+ /, ''))
      const blocks = Array.from(section.matchAll(/```text\n([^]*?)```/g), ([, lines = '']) => lines)
      return { anchor, messages: blocks.join('').split('\n').filter(Boolean) }
    })
    .filter(({ messages }) => messages.length > 0)
  /** The sections whose messages are printed by pages, tests and Vite, or are in responses alone. */
  const elsewhere = ['lost', 'the-service-worker', 'tests-disturb-each-other', 'unknown-record']
  const printed = sections.filter(({ anchor }) => !elsewhere.includes(anchor))

  it.each(printed)('is where the command leads to for messages of $anchor', (section) => {
    const places = section.messages.map((message) => placesOf(message)[0]?.split('#')[1])
    expect(places).toEqual(section.messages.map(() => section.anchor))
  })

  it('has every place that the command leads to', () => {
    expect(helpAnchors.toSorted()).toEqual(printed.map(({ anchor }) => anchor).toSorted())
  })
})

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-docs-')))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'node_modules'))
symlinkSync(root, join(folder, 'node_modules/fixtura'), 'dir')
for (const name of ['msw', 'ws', 'zod', '@supabase']) {
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
}

/** The Markdown files in a folder and its folders, without those of tools. */
function pathsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !/^(?:\.|reference\/code)/.test(name))
}

/** Runs a module in a thread of its own, where `fixtura` is the built package; returns its output. */
async function run(code: string): Promise<string> {
  const path = join(folder, 'program.mjs')
  writeFileSync(path, code)
  const worker = new Worker(path, { stdout: true, execArgv: [] })
  const output = text(worker.stdout)
  await once(worker, 'exit')
  return output
}
