import type { Io, Output } from '../io.ts'

/** Writes text in colour, or plainly where colour is not wanted. */
export type Paint = Readonly<Record<Ink, (text: string) => string>>

/** How text may look. */
export type Ink = keyof typeof inks

const inks = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

/** The colours of a stream: only on a terminal, and never with `NO_COLOR` (no-color.org). */
export function createPaint({ isTTY }: Output, env: Io['env']): Paint {
  const isColoured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const entries = Object.entries(inks).map(([ink, [on, off]]) => [
    ink,
    (text: string) => (isColoured ? `\u001B[${on}m${text}\u001B[${off}m` : text),
  ])
  return Object.fromEntries(entries) as Paint
}
