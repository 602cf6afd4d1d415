import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { SiteConfig } from 'vitepress'

import { type Page, type Section, sidebar } from './sidebar.ts'

/** Writes a Markdown twin beside each page of the built site, and `llms.txt` with the list of them. */
export function writeTwins({ outDir, pages, srcDir }: SiteConfig, fromCode: readonly Page[]): void {
  for (const page of pages) writeFileSync(join(outDir, page), toTwin(join(srcDir, page)))
  const facts = readFileSync(join(srcDir, '../llms.txt'), 'utf8')
  const sections: Section[] = [...sidebar, { text: 'From the code', items: [...fromCode] }]
  const lines = sections.flatMap((section) => {
    const items = 'items' in section ? section.items : [section]
    return ['', `## ${section.text}`, '', ...items.map((item) => toLine(item, srcDir))]
  })
  const [introduction = ''] = facts.split('\n## Docs')
  writeFileSync(join(outDir, 'llms.txt'), `${introduction.trimEnd()}\n${lines.join('\n')}\n`)
}

function toLine({ text, link }: Page, folder: string): string {
  const page = readFileSync(join(folder, `${link}.md`), 'utf8')
  const [, description = ''] = /^description: ['"]?(.*?)['"]?$/m.exec(page) ?? []
  return `- [${text}](${link}.md): ${description}`
}

/** The text of a page without front matter, with the files that it includes. */
function toTwin(path: string): string {
  const include = (name: string): string =>
    readFileSync(join(dirname(path), name), 'utf8').trimEnd()
  return readFileSync(path, 'utf8')
    .replace(/^---\n[^]*?\n---\n+/, '')
    .replaceAll(/^<<< (\S+\.(\w+))$/gm, (_, name: string, type: string) =>
      ['```' + type, include(name), '```'].join('\n'),
    )
    .replaceAll(/^<!--@include: ([^{\s]+)(?:\{(\d+),\})?-->$/gm, (_, name: string, from = '1') =>
      include(name)
        .split('\n')
        .slice(Number(from) - 1)
        .join('\n'),
    )
}
