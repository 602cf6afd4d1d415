import type { JsonError, JsonErrorKind } from '../../core/json/json-error.ts'

/** Advice on a syntax error in JSON; for what JSON5 allows, it also suggests renaming the file. */
export function adviceOn({ fault, char, close }: JsonError): string {
  if (char === undefined && fault !== 'empty') return `Please close it with "${close}".`
  if (char === close && fault === 'value' && close === '}') return 'Please write the value.'
  if (char === close && (fault === 'key' || fault === 'value')) {
    return 'Please remove the comma before it, or rename the file to .json5.'
  }
  if ((char === ']' || char === '}') && char !== close) {
    if (fault === 'key' || (fault === 'value' && close === ']')) {
      return `Please write the missing "${close}" in place of the comma before it.`
    }
    if (fault === 'comma' || fault.startsWith('first')) {
      return `Please write the missing "${close}" before it.`
    }
  }
  return ADVICE_ON_CHARACTER[char ?? ''] ?? ADVICE[fault]
}

const VALUE = 'Please put a string into double quotes, or write a number, true, false or null.'
const KEY = 'Please put the key into double quotes, or rename the file to .json5.'

const ADVICE: Record<JsonErrorKind, string> = {
  value: VALUE,
  'first value': VALUE,
  key: KEY,
  'first key': KEY,
  colon: 'Please add the colon.',
  comma: 'Please add the missing comma or close what is open.',
  end: 'Please remove what follows.',
  empty: 'Please write [] into it.',
  quote: 'Please add the closing quote.',
  control: 'Please escape it.',
  escape: 'Please double the backslash.',
}

const ADVICE_ON_CHARACTER: Readonly<Record<string, string>> = {
  '/': 'Please remove the comment, or rename the file to .jsonc or .json5.',
  '#': 'Please remove the comment.',
  "'": 'Please use double quotes, or rename the file to .json5.',
}
