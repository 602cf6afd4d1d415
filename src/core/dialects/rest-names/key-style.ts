import type { KeyStyle } from './options.ts'

/**
 * Spells a key of a record in a style, for the option `key`: `firstName` as `first_name`. Keeps leading and
 * trailing underscores, and keys that are no identifiers, such as `$ref` and `@type`.
 */
export function toStyle(key: string, style: KeyStyle): string {
  const [, start = '', middle = '', end = ''] = /^(_*)([A-Za-z][\w-]*?)(_*)$/.exec(key) ?? []
  return middle === '' ? key : start + styles[style](wordsOf(middle)) + end
}

/** Returns the style of a key of several words; undefined for a key of one word. */
export function styleOf(key: string): KeyStyle | undefined {
  if (/[a-z\d]_[a-z\d]/i.test(key)) return 'snake_case'
  if (/[a-z\d]-[a-z\d]/i.test(key)) return 'kebab-case'
  if (/^[A-Z][a-z]+[A-Z]/.test(key)) return 'PascalCase'
  return /[a-z\d][A-Z]/.test(key) ? 'camelCase' : undefined
}

/** How the words of a key are joined, and how the first and the other words begin. */
const styles: Readonly<Record<KeyStyle, (words: readonly string[]) => string>> = {
  camelCase: ([first = '', ...words]) => lower(first) + words.map(capital).join(''),
  snake_case: (words) => words.map(lower).join('_'),
  'kebab-case': (words) => words.map(lower).join('-'),
  PascalCase: (words) => words.map(capital).join(''),
}

function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
      // The capital before a lower-case letter begins a word, except in plurals such as `URLs`.
      .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2')
      .split(/[_-]+/)
  )
}

function lower(word: string): string {
  return word.toLowerCase()
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}
