/** Pads texts to the width of the widest; East Asian characters and emoji take two cells. */
export async function toColumn(texts: readonly string[]): Promise<Column> {
  const widthOf = await loadWidthOf(texts)
  const width = Math.max(0, ...texts.map(widthOf))
  return { texts: texts.map((text) => text + ' '.repeat(width - widthOf(text))), width }
}

/** The result of {@link toColumn}. */
export interface Column {
  /** The texts, padded with spaces to the width. */
  texts: string[]
  /** The number of character cells that the widest text takes. */
  width: number
}

/** The import of the library takes longer than the rest of a banner, so that only texts that need it import it. */
async function loadWidthOf(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every((text) => /^[ -~]*$/.test(text))) return ({ length }) => length
  const { default: stringWidth } = await import('string-width')
  return (text) => stringWidth(text)
}
