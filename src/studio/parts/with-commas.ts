/**
 * Formats a count with commas between thousands. `toLocaleString` would load the data of a locale, which
 * delays the first page.
 */
export function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
