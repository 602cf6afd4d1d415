import { createManualClock, defineConfig } from 'fixtura'
import { auth, events, faults, fields, limit, states, versions } from 'fixtura/behaviours'

/** Time stands still until a test moves it. */
export const clock = createManualClock()

export default defineConfig({
  fixtures: ['fixtures'],
  base: '/api',
  seed: 1,
  clock,
  cacheControl: { rooms: 'max-age=60', default: 'no-cache' },
  use: [
    versions({
      versions: {
        v1: { deprecated: '2026-01-01', successor: 'v2', fields: { rooms: { beds: 'capacity' } } },
        v2: {},
      },
    }),
    limit({ requests: 5, per: '1m', only: ['POST login'] }),
    faults({ rules: [{ on: 'GET rooms/cellar', status: 503, times: 1 }] }),
    auth({
      scheme: 'bearer',
      users: 'users',
      protect: ['POST *', 'bookings'],
      roles: { 'DELETE *': 'host' },
    }),
    fields({ bookings: { timestamps: true } }),
    states({
      bookings: {
        field: 'status',
        initial: 'requested',
        transitions: { requested: ['confirmed', 'declined'], confirmed: ['paid'] },
        actions: { confirm: 'confirmed' },
      },
    }),
    events(),
  ],
})
