// Compares sides that answer the same requests in this process, by turns.

import { isDeepStrictEqual } from 'node:util'

import { watchCpu } from './cpu.js'
import { compareRounds } from './rounds.js'

const turns = 10

/**
 * Creates a function that measures a row, `toRequest(number)`, after it has compared the first 50 answers. A side is
 * `{ name, send }`; `send` gets the results of `toRequest` and resolves to the value to compare, Fixtura's first.
 */
export function createComparison(sides, { rounds, seconds }) {
  /** The number of the next request, so that no record is inserted twice. */
  let next = 0

  /** @throws Error with the first different answer */
  async function checkEqual(toRequest) {
    for (const end = next + 50; next < end; next++) {
      const expected = await sides[0].send(...toRequest(next))
      for (const { name, send } of sides.slice(1)) {
        const answer = await send(...toRequest(next))
        if (isDeepStrictEqual(answer, expected)) continue
        const both = `${JSON.stringify(answer)}, Fixtura with ${JSON.stringify(expected)}`
        throw new Error(`Failed to compare: "${name}" answers ${toRequest(next)[0]} with ${both}.`)
      }
    }
  }

  /** The sides take turns many times a round, so that disturbances affect all of them. */
  async function measureRound(toRequest) {
    const watched = watchCpu(process.pid)
    const sums = sides.map((side) => ({ ...side, answers: 0, seconds: 0, cpu: 0 }))
    const first = next
    for (let turn = 0; turn < turns; turn++) {
      for (const sum of turn % 2 ? sums : sums.toReversed()) {
        const cpu = watchCpu(process.pid)
        const start = performance.now()
        const elapsed = () => (performance.now() - start) / 1000
        for (; elapsed() < seconds / turns; sum.answers++) {
          await sum.send(...toRequest(first + sum.answers))
        }
        sum.seconds += elapsed()
        sum.cpu += cpu().cpu
      }
    }
    next += Math.max(...sums.map(({ answers }) => answers))
    const { foreign } = watched()
    return sums.map(({ name, answers, seconds, cpu }) => [
      name,
      { rate: answers / seconds, cost: cpu / answers, foreign },
    ])
  }

  return async (toRequest) => {
    await checkEqual(toRequest)
    return { unit: '/s', ...(await compareRounds(rounds, () => measureRound(toRequest))) }
  }
}
