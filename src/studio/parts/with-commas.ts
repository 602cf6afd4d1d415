/**
 * Formats a count with commas between thousands. `toLocaleString` would load the data of a locale, which
 * delays the first page.
 */
export function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** A count with its noun: `1 record`, `1,200 records`. */
export function plural(count: number, noun: string): string {
  return `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The first four of some texts, and how many there are besides. */
export function listFirst(texts: readonly string[]): string {
  const more = texts.length > 4 ? `; and ${texts.length - 4} more` : ''
  return `${texts.slice(0, 4).join('; ')}${more}`
}
