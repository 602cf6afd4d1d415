import type { FaultRule } from './rules.ts'

/**
 * The predefined sets of fault rules, for the option `profile` of `faults`: a slow network, random failures, no
 * network, an unavailable server (503), and a used-up rate limit (429).
 */
export const profiles: Record<FaultProfile, readonly FaultRule[]> = {
  'slow-3g': [{ delay: { min: 1800, max: 2200 }, bytesPerSecond: 50_000 }],
  flaky: [
    { probability: 0.05, drop: true },
    { probability: 0.05, status: 500 },
    { probability: 0.1, status: 503, headers: { 'Retry-After': '1' } },
    { probability: 0.05, truncate: 0.5 },
    { probability: 0.3, delay: { median: 800, sigma: 0.8 } },
  ],
  offline: [{ drop: true }],
  down: [{ status: 503, headers: { 'Retry-After': '30' } }],
  'rate-limited': [{ status: 429, headers: { 'Retry-After': '60' } }],
}

/** The name of a predefined set of fault rules. */
export type FaultProfile = 'slow-3g' | 'flaky' | 'offline' | 'down' | 'rate-limited'
