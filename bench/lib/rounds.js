// Measures the sides alternately in rounds, and repeats rounds that other programs disturbed. Rounds are
// chosen by the CPU use of other programs alone, never by their result.

import { median } from './statistics.js'

/** The maximum number of cores that other programs use in a quiet round. */
const quiet = 0.25
/** The maximum number of rounds, as a multiple of the wanted rounds. */
const patience = 2

/**
 * Measures until the wanted number of rounds was quiet, otherwise uses the quietest rounds. `measureRound(round)`
 * resolves to `[name, { rate, cost, foreign }]` for each side, Fixtura first.
 * @returns the median rates, the median ratios of Fixtura to the others by time and by CPU time, and the maximum
 * number of cores that other programs used
 */
export async function compareRounds(wanted, measureRound) {
  const all = []
  for (let round = 1; round <= wanted * patience; round++) {
    all.push(new Map(await measureRound(round)))
    if (all.filter((one) => foreignOf(one) <= quiet).length === wanted) break
  }
  const kept = all.toSorted((a, b) => foreignOf(a) - foreignOf(b)).slice(0, wanted)
  const [ours, ...others] = [...all[0].keys()]
  const collect = (name, value) =>
    median(
      kept
        .filter((round) => round.has(name))
        .map((round) => value(round.get(name), round.get(ours))),
    )
  const toEntries = (names, value) =>
    Object.fromEntries(names.map((name) => [name, collect(name, value)]))
  return {
    rates: toEntries([ours, ...others], ({ rate }) => rate),
    ratios: toEntries(others, (other, mine) => mine.rate / other.rate),
    cpuRatios: toEntries(others, (other, mine) => other.cost / mine.cost),
    foreign: Math.max(...kept.map(foreignOf)),
  }
}

/** Whether other programs did not disturb a result. */
export function isQuiet({ foreign = 0 }) {
  return foreign <= quiet
}

function foreignOf(round) {
  return Math.max(...[...round.values()].map(({ foreign }) => foreign))
}
