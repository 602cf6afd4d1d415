import { MockError } from '../../core/errors/mock-error.ts'

/** A token without its quotes; a name is a quoted word. */
export interface Token {
  kind: 'string' | 'name' | 'number' | 'word' | 'sign'
  text: string
  offset: number
}

/** The kind of the tokens of each group of a pattern, and the function that removes their quotes. */
export type Kinds = Readonly<
  Record<string, [kind: Token['kind'], decode?: (text: string) => string]>
>

/** Splits a text by a pattern whose groups are the kinds of tokens. */
export function tokenize(text: string, of: RegExp, kinds: Kinds): Token[] {
  return [...text.matchAll(of)].flatMap(({ groups = {}, index: offset }) =>
    Object.entries(groups).flatMap(([group, found]) => {
      const [kind, decode] = kinds[group] ?? []
      return kind && found !== undefined ? [{ kind, text: decode?.(found) ?? found, offset }] : []
    }),
  )
}

/** Reads the tokens of a statement one after the other; `take` reads a token if it is one of the given texts. */
export function createReader(tokens: readonly Token[]): Reader {
  let at = 0
  const end: Token = { kind: 'sign', text: ';', offset: tokens.at(-1)?.offset ?? 0 }
  const peek = (): Token => tokens[at] ?? end
  const is = (...texts: string[]): boolean =>
    peek().kind !== 'string' && peek().kind !== 'name' && texts.includes(peek().text)
  const next = (): Token => tokens[at++] ?? end
  const take = (...texts: string[]): string | undefined => (is(...texts) ? next().text : undefined)
  const expect = (text: string): void => {
    if (take(text) === undefined) throw unknown(peek())
  }
  /** Reads a list in parentheses or brackets, after the first of them. */
  function list<Item>(close: string, read: () => Item): Item[] {
    const items: Item[] = []
    while (!is(close)) {
      items.push(read())
      if (take(',') === undefined) break
    }
    expect(close)
    return items
  }
  const seek = (place: number): void => void (at = place)
  return { peek, is, next, take, expect, list, seek, place: () => at }
}

/** The error of a token that cannot stand at its place. */
export function unknown(token: Token): MockError {
  return new MockError(`"${token.text}" is no value of a row`, { extensions: { token } })
}

/** Reads tokens one after the other; see {@link createReader}. */
export interface Reader {
  peek(): Token
  is(...texts: string[]): boolean
  next(): Token
  take(...texts: string[]): string | undefined
  expect(text: string): void
  list<Item>(close: string, read: () => Item): Item[]
  seek(place: number): void
  place(): number
}
