/** Writes a number with its noun, which gets an `s` unless the number is 1: `1 record`, `2 records`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
