import { wrong } from '../../core/errors/check.ts'
import type { LoginOptions } from '../../core/http/contract/hooks.ts'
import type { Duration } from '../../core/time/duration.ts'
import type { RemoteMock } from '../../remote/types.ts'
import type { Controllable, Tool } from '../tool.ts'

const nameInput = { type: 'string', minLength: 1, description: 'The name of the snapshot.' }

/** The MCP tools by which an agent changes the mock as a whole: scenarios, snapshots, the reset and the clock. */
export const stateTools: readonly Tool[] = [
  {
    name: 'list_scenarios',
    title: 'List scenarios',
    description:
      'Lists the scenarios, named sets of other data and faults such as "empty", and the active one.',
    effect: 'reads',
    input: {},
    run: ({ mock }) => mock.scenarios(),
  },
  {
    name: 'activate_scenario',
    title: 'Activate a scenario',
    description: 'Activates a scenario, and resets the data to it. Null ends the active scenario.',
    effect: 'changes',
    input: { name: { type: ['string', 'null'] } },
    required: ['name'],
    async run({ mock }, { name }: { name: string | null }) {
      await mock.scenario(name)
      return mock.scenarios()
    },
  },
  {
    name: 'list_snapshots',
    title: 'List snapshots',
    description: 'Lists the names of the snapshots.',
    effect: 'reads',
    input: {},
    run: async ({ mock }) => ({ snapshots: await mock.snapshots() }),
  },
  {
    name: 'take_snapshot',
    title: 'Take a snapshot',
    description:
      'Saves the data under a name, to restore it later. Replaces an earlier snapshot of that name. Take one before experiments.',
    effect: 'adds',
    input: { name: nameInput },
    required: ['name'],
    async run({ mock }, { name }: { name: string }) {
      await mock.snapshot(name)
      return { snapshots: await mock.snapshots() }
    },
  },
  {
    name: 'restore_snapshot',
    title: 'Restore a snapshot',
    description: 'Restores the data of a snapshot. Changes since then are lost.',
    effect: 'changes',
    input: { name: nameInput },
    required: ['name'],
    async run({ mock }, { name }: { name: string }) {
      await mock.restore(name)
      return { resources: await countsOf(mock) }
    },
  },
  {
    name: 'reset',
    title: 'Reset the mock',
    description:
      'Sets data, ids, rules, clock and log back to the start. Changes by requests and tools are lost; snapshots stay. Without a session, all sessions end.',
    effect: 'changes',
    input: {},
    async run({ mock }) {
      await mock.reset()
      return { resources: await countsOf(mock) }
    },
  },
  {
    name: 'log_in',
    title: 'Log a user in',
    description:
      'Logs a user in at the OpenID Connect provider of the mock without its page. Returns the tokens, and the cookie that keeps a browser logged in.',
    effect: 'adds',
    input: {
      user: { type: ['string', 'number'], description: 'The id, e-mail or username of the user.' },
      client: { type: 'string', description: 'The client_id of the application.' },
      scope: { type: 'string', description: 'Scopes, such as "openid email offline_access".' },
    },
    required: ['user'],
    run: ({ mock }, { user, ...options }: LoginOptions & { user: string | number }) =>
      mock.login(user, options),
  },
  {
    name: 'get_clock',
    title: 'Get the time',
    description: 'Returns the time of the mock, which timestamps, tokens and limits use.',
    effect: 'reads',
    input: {},
    run: timeOf,
  },
  {
    name: 'move_clock',
    title: 'Move the clock',
    description:
      'Moves the clock of the mock forward by a duration, or sets it to a time. Tokens expire, limits refill, and timers that become due run. reset moves it back.',
    effect: 'changes',
    input: {
      advance: {
        type: ['string', 'integer'],
        description: 'A duration: "5s", "30m", "2h", "1d", or milliseconds.',
      },
      to: { type: 'string', description: 'A time: "2026-05-01", "2026-05-01T12:00:00Z".' },
    },
    run: moveClock,
  },
]

async function countsOf(mock: RemoteMock): Promise<Record<string, number>> {
  const { resources } = await mock.state()
  return Object.fromEntries(resources.map(({ name, count }) => [name, count]))
}

async function timeOf({ mock }: Controllable): Promise<object> {
  const now = await mock.clock.now()
  return { time: new Date(now).toISOString(), now }
}

async function moveClock(
  controlled: Controllable,
  { advance, to }: { advance?: Duration; to?: string },
): Promise<object> {
  const { clock } = controlled.mock
  if ((advance === undefined) === (to === undefined)) {
    throw wrong('the arguments', 'they do not say how far. Please give either "advance" or "to".')
  }
  if (advance !== undefined) await clock.advance(advance)
  if (to !== undefined) await clock.set(to)
  return timeOf(controlled)
}
