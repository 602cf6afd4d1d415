/** A list written as lines of text, with a broken bar between its elements. */
export function listed(...lines: string[]): string[] {
  return lines.join('').split('¦')
}
