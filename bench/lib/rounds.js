// Rounds in which every side is measured by turns. The machine has other users: a round in which
// they had too much of it is repeated. Rounds are chosen by that share alone, never by their outcome.

import { median } from './statistics.js'

/** Cores that other programs may have in a round that counts as quiet. */
const quiet = 0.25
/** So many times the rounds wanted are tried. */
const patience = 2

/**
 * Measures until that many rounds were quiet, else keeps the quietest. `measureRound(round)` gives
 * `[name, { rate, cost, foreign }]` of each side, ours first.
 * @returns the median rates, the median ratios of ours to the others, by time and by CPU time, and
 * the most cores that other programs had
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

/** Whether other programs left the rounds alone. */
export function isQuiet({ foreign = 0 }) {
  return foreign <= quiet
}

function foreignOf(round) {
  return Math.max(...[...round.values()].map(({ foreign }) => foreign))
}
