import { env } from 'node:process'

import { seed } from '../../seed.ts'
import { type Outcome, runSeed, type Setup } from './run.ts'
import { report, shrink } from './shrink.ts'

/** How many databases a seed stands for, and how many requests go to each. */
const databases = 20
const requests = 100
/** How many databases are under way at once: json-server 0.17 pauses before each of its answers. */
const together = 8

/** The seeds to run: `PEER_SEEDS` of them (1 if not given), beginning at `FUZZ_SEED`. */
export function seedsToRun(): number[] {
  return Array.from({ length: Number(env['PEER_SEEDS'] ?? 1) }, (_, index) => seed + index)
}

/** What a run over all databases of a seed has come to. */
export interface Summary {
  requests: number
  /** A report for each database over which the answers differ. */
  failures: string[]
  /** How many answers were alike, by status. */
  statuses: Map<number, number>
  /** How often each exception explained a difference. */
  excused: Map<string, number>
}

/** Runs all databases of a seed, and makes what fails small. */
export async function runAll(setup: Setup, seed: number): Promise<Summary> {
  const summary: Summary = { requests: 0, failures: [], statuses: new Map(), excused: new Map() }
  const open = Array.from({ length: databases }, (_, index) => `${seed}.${index}`)
  const work = async (): Promise<void> => {
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      const outcome = await runSeed(setup, name, requests)
      take(summary, outcome)
      if (outcome.failure) summary.failures.push(report(name, await shrink(setup, outcome)))
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return summary
}

function take(summary: Summary, outcome: Outcome): void {
  summary.requests += outcome.requests.length
  for (const [status, count] of outcome.statuses) add(summary.statuses, status, count)
  for (const [name, count] of outcome.excused) add(summary.excused, name, count)
}

function add<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
