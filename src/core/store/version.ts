let last = 0

/** A number that was never given before: what is kept under it stays right for as long as it is met. */
export function nextVersion(): number {
  return ++last
}
