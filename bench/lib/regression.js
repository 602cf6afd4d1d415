import { isQuiet } from './rounds.js'

/**
 * Whether a result lost more than the tolerance against the committed result, for `npm run bench -- --check`. If
 * other programs disturbed one of the two, compares the ratios by CPU time, because other programs affect these
 * less.
 */
export function isSlower({ goal }, was, is) {
  if (!was || was.failure) return false
  if (is.failure || is.broken) return true
  const isComparable = isQuiet(was) && isQuiet(is)
  const ratioOf = ({ ratios, cpuRatios = ratios }) =>
    (isComparable ? ratios : cpuRatios)[goal.against]
  const [before, now] = [ratioOf(was), ratioOf(is)]
  if (before === undefined) return false
  if (now === undefined) return true
  if (goal.isWatched) return false
  return goal.atLeast === undefined
    ? now > before * (1 + tolerance)
    : now < before * (1 - tolerance)
}

/** The relative loss of a ratio above which `--check` fails. */
const tolerance = 0.25
