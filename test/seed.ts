/**
 * The seed of all random tests. The default repeats the same cases everywhere; `FUZZ_SEED` tries others:
 * `FUZZ_SEED=7 npm test`. A failure prints the seed, in the title of the test or in the message.
 */
export const seed: number = toSeed(process.env['FUZZ_SEED'] ?? '1')

function toSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`Failed to read FUZZ_SEED "${text}": a seed has one to nine digits.`)
}
