import type { Random } from '../time/random.ts'

/**
 * Draws a text that a regular expression matches; undefined for an expression that has more than classes,
 * groups, alternatives and repetitions, such as a backreference. Assertions are ignored, so that the caller
 * checks the text.
 */
export function drawFromPattern(pattern: string, random: Random, least = 0): string | undefined {
  let at = 0
  let isUnknown = false
  let budget = 20_000

  const text = alternatives()
  return isUnknown || at < pattern.length ? undefined : text()

  function alternatives(): () => string {
    const options = [sequence()]
    while (pattern[at] === '|') {
      at++
      options.push(sequence())
    }
    return () => options[Math.floor(random() * options.length)]?.() ?? ''
  }

  function sequence(): () => string {
    const parts: (() => string)[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      parts.push(repeated(atom()))
    }
    return () => parts.map((part) => part()).join('')
  }

  function atom(): () => string {
    const char = pattern[at++] ?? ''
    if (char === '^' || char === '$') return () => ''
    if (char === '.') return () => draw(Array.from('abcdefghijklmnopqrstuvwxyz'))
    if (char === '[') return oneOf(charClass())
    if (char === '\\') return escape()
    if (char !== '(') return () => char
    const isAssertion = /^\?<?[=!]/.test(pattern.slice(at))
    const opening = /^\?(?::|<\w+>|<?[=!])/.exec(pattern.slice(at))
    at += opening?.[0].length ?? 0
    const inner = alternatives()
    if (pattern[at] !== ')') isUnknown = true
    at++
    return isAssertion ? () => '' : inner
  }

  function repeated(part: () => string): () => string {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at))
    if (!found) return part
    at += found[0].length
    const [, sign, from, comma, to] = found
    const low = sign === '+' ? 1 : Number(from ?? 0)
    const spread = Math.max(low, Math.min(least, 200)) + 6
    const high = sign === '?' ? 1 : from !== undefined && !comma ? low : to ? Number(to) : spread
    return () => {
      const wanted = Math.max(low, Math.min(high, least))
      const count = wanted + Math.floor(random() * (Math.min(high, wanted + 6) - wanted + 1))
      let text = ''
      for (let done = 0; done < count && budget-- > 0; done++) text += part()
      return text
    }
  }

  function oneOf(chars: readonly string[]): () => string {
    if (chars.length === 0) isUnknown = true
    return () => draw(chars)
  }

  function draw(chars: readonly string[]): string {
    return chars[Math.floor(random() * chars.length)] ?? ''
  }

  function escape(): () => string {
    const char = pattern[at++] ?? ''
    if (char === 'b' || char === 'B') return () => ''
    if (/[1-9k]/.test(char)) isUnknown = true
    const set = setOf(char)
    return set ? oneOf(set) : oneOf([literal(char)])
  }

  /** The character of an escape such as `\n` or `\u0041`, whose letter has been read. */
  function literal(char: string): string {
    const code = /^(?:u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|x([\da-fA-F]{2}))/.exec(
      char + pattern.slice(at),
    )
    if (code) {
      at += code[0].length - 1
      return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '61', 16))
    }
    return { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' }[char] ?? char
  }

  function setOf(char: string): string[] | undefined {
    if (char === 'p' || char === 'P') {
      const name = /^\{([^}]*)\}/.exec(pattern.slice(at))
      at += name?.[0].length ?? 0
      return printable.filter((one) => new RegExp(`\\${char}${name?.[0] ?? '{L}'}`, 'u').test(one))
    }
    if (!/[dDwWsS]/.test(char)) return undefined
    return printable.filter((one) => new RegExp(`\\${char}`).test(one))
  }

  function charClass(): string[] {
    const isNegated = pattern[at] === '^'
    if (isNegated) at++
    const chars = new Set<string>()
    while (at < pattern.length && pattern[at] !== ']') {
      const letter = pattern[at] === '\\' ? (pattern[at + 1] ?? '') : ''
      if (/[dDwWsSpP]/.test(letter)) {
        at += 2
        for (const one of setOf(letter) ?? []) chars.add(one)
        continue
      }
      const first = member()
      const isRange = pattern[at] === '-' && pattern[at + 1] !== ']'
      if (!isRange) {
        chars.add(first)
        continue
      }
      at++
      const last = member()
      const from = first.codePointAt(0) ?? 0
      const to = Math.min(last.codePointAt(0) ?? 0, from + 200)
      for (let code = from; code <= to; code++) chars.add(String.fromCodePoint(code))
    }
    at++
    return isNegated ? printable.filter((one) => !chars.has(one)) : [...chars]
  }

  function member(): string {
    const code = pattern.codePointAt(at) ?? 97
    const char = String.fromCodePoint(code)
    at += char.length
    if (char !== '\\') return char
    const escaped = pattern[at++] ?? ''
    return escaped === 'b' ? '\b' : literal(escaped)
  }
}

/** The characters that classes draw from, letters first. */
const printable = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/ !#$%&()*+,;<=>?@[]^{|}~"\'\\`',
)
