import type { Io, Output } from '../io.ts'

/**
 * Creates the functions that style text for a stream: with ANSI codes on a terminal, unless the environment
 * has `NO_COLOR` (no-color.org); without styles on a file or a pipe.
 */
export function createPaint({ isTTY }: Output, env: Io['env']): Paint {
  const isColoured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const entries = Object.entries(styles).map(([style, [on, off]]) => [
    style,
    (text: string) => (isColoured ? `\u001B[${on}m${text}\u001B[${off}m` : text),
  ])
  return Object.fromEntries(entries) as Paint
}

/** Functions that style text, or return it unchanged if colours are off. */
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
