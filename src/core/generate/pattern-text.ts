import type { Random } from '../time/random.ts'
import { drawInteger, pick } from './draw.ts'

/**
 * Draws a text that matches a regular expression: classes, groups, alternatives and repetitions. Look-arounds and
 * back references add nothing, so that a caller has to check the text.
 */
export function drawPattern(random: Random, source: string): string {
  let at = 0
  return alternatives()

  function alternatives(): string {
    const texts = [sequence()]
    while (source[at] === '|') {
      at++
      texts.push(sequence())
    }
    return pick(random, texts) ?? ''
  }

  function sequence(): string {
    let text = ''
    while (at < source.length && source[at] !== '|' && source[at] !== ')') text += repeated()
    return text
  }

  function repeated(): string {
    const start = at
    const first = atom()
    const end = at
    const [min, max] = quantifier()
    const count = drawInteger(random, min, Math.min(max, Math.max(min, min + 4)))
    if (count === 0) return ''
    const after = at
    let text = first
    for (let times = 1; times < count; times++) {
      at = start
      text += atom()
    }
    at = Math.max(after, end)
    return text
  }

  function quantifier(): [min: number, max: number] {
    const rest = source.slice(at)
    const [whole = '', exact, from, comma, to] = /^\{(?:(\d+)|(\d*)(,)(\d*))\}/.exec(rest) ?? []
    const simple = simpleQuantifiers[rest[0] ?? '']
    if (whole !== '') at += whole.length
    else if (simple) at++
    else return [1, 1]
    if (source[at] === '?') at++
    if (simple) return simple
    if (comma === undefined) return [Number(exact), Number(exact)]
    return [Number(from || 0), to ? Number(to) : Infinity]
  }

  function atom(): string {
    const sign = source[at++] ?? ''
    if (sign === '(') return group()
    if (sign === '[') return draw(readClass())
    if (sign === '\\') return draw(readEscape())
    if (sign === '^' || sign === '$') return ''
    return sign === '.' ? draw(printable) : sign
  }

  function group(): string {
    const [prefix = ''] = /^\?(?::|<[^=!>]+>|<?[=!])/.exec(source.slice(at)) ?? []
    at += prefix.length
    const text = alternatives()
    at++
    return /[=!]$/.test(prefix) ? '' : text
  }

  function readEscape(): string {
    const sign = source[at++] ?? ''
    if (sign === 'b' || sign === 'B') return ''
    const [code] = /^(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2})/i.exec(source.slice(at - 1)) ?? []
    if (code !== undefined) {
      at += code.length - 1
      return String.fromCodePoint(Number.parseInt(code.replaceAll(/[ux{}]/g, ''), 16))
    }
    if ((sign === 'p' || sign === 'P') && source[at] === '{') {
      const end = source.indexOf('}', at)
      at = end === -1 ? source.length : end + 1
      return sign === 'p' ? letters : digits
    }
    return escapes[sign] ?? sign
  }

  function readClass(): string {
    const isNegated = source[at] === '^'
    if (isNegated) at++
    let chosen = ''
    while (at < source.length && source[at] !== ']') {
      const sign = source[at++] ?? ''
      const from = sign === '\\' ? readEscape() : sign
      const isRange = source[at] === '-' && source[at + 1] !== ']' && from.length === 1
      if (!isRange) {
        chosen += from
        continue
      }
      at++
      const end = source[at++] ?? ''
      const to = end === '\\' ? readEscape() : end
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0) && chosen.length < 500; code++) {
        chosen += String.fromCharCode(code)
      }
    }
    at++
    if (!isNegated) return chosen
    return printable
      .split('')
      .filter((letter) => !chosen.includes(letter))
      .join('')
  }

  function draw(from: string): string {
    return from[drawInteger(random, 0, from.length - 1)] ?? ''
  }
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const word = `${letters}${letters.toUpperCase()}${digits}_`
const printable = `${word}-.~!+*`

const escapes: Readonly<Record<string, string>> = {
  d: digits,
  D: letters,
  w: word,
  W: '-.~',
  s: ' ',
  S: word,
  n: '\n',
  t: '\t',
  r: '\r',
}

const simpleQuantifiers: Readonly<Record<string, [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}
