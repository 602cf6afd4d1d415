import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { atomicMusts, musts } from '../../../contract/dialects/json-api-musts.ts'

/** A clone of the repository of the specification, `json-api/json-api`. */
const folder = process.env['JSON_API_SPECIFICATION']

describe('the list of sentences with MUST', () => {
  if (folder === undefined) {
    it.skip('is skipped: JSON_API_SPECIFICATION names no clone of the specification')
    return
  }
  it.each([
    ['JSON:API 1.1', '_format/1.1/index.md', musts],
    ['Atomic Operations', 'ext/atomic/index.md', atomicMusts],
  ])('has every sentence of %s, in its order', (_, file, listed) => {
    const sentences = sentencesOf(readFileSync(join(folder, file), 'utf8'))
    const beginnings = listed.map(([beginning]) => beginning)
    expect(
      sentences.map((sentence) => beginnings.find((one) => sentence.startsWith(one)) ?? sentence),
    ).toEqual(beginnings)
  })
})

/** The sentences with MUST, REQUIRED or SHALL, each once, without marks of Markdown and without examples. */
function sentencesOf(text: string): string[] {
  const blocks = text
    .replace(/^---[^]*?---\n/, '')
    .replaceAll(/```[^]*?```/g, '\n\n')
    .replaceAll(/^#+ .*$/gm, '\n')
    .replaceAll(/^>\s?/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[*-]|\d+\.)\s)/)
  const sentences = blocks.flatMap((block) =>
    block
      .replace(/^\s*(?:[*-]|\d+\.)\s+/, '')
      .replaceAll(/\[([^\]]*)\](?:\[[^\]]*\]|\([^)]*\))/g, '$1')
      .replaceAll(/`|\*\*|<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!:])\s+(?=[A-Z"(])/),
  )
  return [...new Set(sentences.filter((sentence) => /\b(?:MUST|REQUIRED|SHALL)\b/.test(sentence)))]
}
