/**
 * Returns the pause between a periodic scan of the fixtures and the next, in milliseconds. `events` tells
 * whether the file system reports changes: then the scans take at most half a percent of the time, if the
 * pause for that is no longer than a minute. If folders cannot be watched, as with too many watches, the pause
 * is at most 5 seconds or four times the duration of the scan.
 */
export function toPause(duration: number, events?: 'complete' | 'failed'): number {
  if (!events) return Math.max(POLL_PAUSE, duration * 2)
  const wanted =
    events === 'complete'
      ? Math.min(duration * 500, MAX_SCAN_PAUSE)
      : Math.min(duration * 20, 5 * SCAN_PAUSE)
  return Math.max(SCAN_PAUSE, wanted, duration * 4)
}

/** The shortest pause between periodic scans that replace events, in milliseconds. */
export const POLL_PAUSE = 100
/** The shortest pause between periodic scans beside events, in milliseconds. */
export const SCAN_PAUSE = 1000
/** The longest pause after a short scan, in milliseconds. */
const MAX_SCAN_PAUSE = 60_000
