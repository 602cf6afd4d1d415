/**
 * Returns the direction of a text by its first letter; undefined for left to right. With `dir="auto"`,
 * Chromium would need half a minute to lay out a text of a megabyte in a `textarea`.
 */
export function directionOf(text: string): 'rtl' | undefined {
  const [first = ''] = /\p{Letter}/u.exec(text) ?? []
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u.test(
    first,
  )
    ? 'rtl'
    : undefined
}
