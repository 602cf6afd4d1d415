import { isQuiet } from './rounds.js'

/** What a ratio may lose before `--check` fails. */
const tolerance = 0.25

/**
 * Whether a result lost more than the tolerance against the one that was kept. Where other programs
 * disturbed one of the two, the ratios by CPU time are compared, which they move less.
 */
export function isLost({ goal }, was, is) {
  if (!was || was.failure) return false
  if (is.failure || is.broken) return true
  const isComparable = isQuiet(was) && isQuiet(is)
  const ratioOf = ({ ratios, cpuRatios = ratios }) =>
    (isComparable ? ratios : cpuRatios)[goal.against]
  const [before, now] = [ratioOf(was), ratioOf(is)]
  if (before === undefined) return false
  if (now === undefined) return true
  return goal.atLeast === undefined
    ? now > before * (1 + tolerance)
    : now < before * (1 - tolerance)
}
