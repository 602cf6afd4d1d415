import type { Io, Output } from '../io.ts'

/** Functions that style text with ANSI codes, or return it unchanged where colours are off. */
export type Paint = Readonly<Record<Style, (text: string) => string>>

/** The name of a style. */
export type Style = keyof typeof styles

const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

/** Creates the styles of a stream: colours only on a terminal, never with `NO_COLOR` (no-color.org). */
export function createPaint({ isTTY }: Output, env: Io['env']): Paint {
  const isColoured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const entries = Object.entries(styles).map(([style, [on, off]]) => [
    style,
    (text: string) => (isColoured ? `\u001B[${on}m${text}\u001B[${off}m` : text),
  ])
  return Object.fromEntries(entries) as Paint
}
