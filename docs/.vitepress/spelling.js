// Checks the spelling of the documents: `node docs/.vitepress/spelling.js`. A line for each unknown word; exit code 1 if
// there is any. Code is not checked, nor are names with capitals inside. `words.txt` has the words of the field.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import dictionary from 'dictionary-en-gb'
import createSpeller from 'nspell'

const docs = join(import.meta.dirname, '..')
const root = join(docs, '..')
const words = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8')
  .trim()
  .split(/\s+/)
const { aff, dic } = dictionary
const speller = createSpeller(aff, dic)
for (const word of words) speller.add(word)

const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^(?:\.|reference.code)/.test(name))
  .map((name) => join(docs, name))
const unknown = [...names, join(root, 'README.md')].flatMap(findUnknown)
for (const line of unknown) console.log(line)
if (unknown.length > 0) {
  console.log('Please correct the words, or add them to docs/.vitepress/words.txt.')
  process.exitCode = 1
}

function findUnknown(path) {
  const blank = (text) => text.replaceAll(/[^\n]/g, ' ')
  const text = readFileSync(path, 'utf8')
    .replace(/^---\n[^]*?\n---\n/, blank)
    .replaceAll(/^ *```[^]*?^ *```/gm, blank)
    .replaceAll(/`[^`]*`|\]\([^)]*\)|<[^>]+>|https?:\S+|&\w+;/g, blank)
  return text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(/\p{L}[\p{L}'’]*\p{L}/gu), ([word]) => word.replaceAll('’', "'"))
      .filter((word) => !/\p{L}\p{Lu}/u.test(word))
      .filter((word) => !speller.correct(word) && !speller.correct(word.replace(/'s$/, '')))
      .map((word) => `${relative(root, path)}:${index + 1} ${word}`),
  )
}
