import { internalsOf, type MockInternals } from '../../core/http/contract/internals.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { Learned, LearnedOption } from '../../core/learn/learned.ts'
import { isSuccess, type ParsedExchange } from '../../core/learn/parse-exchange.ts'
import { isTimeNear } from '../../core/learn/writes/time-form.ts'
import type { WriteSample } from '../../core/learn/writes/write-samples.ts'
import type { CollectionDb } from '../../core/types/db-types.ts'
import type { Mock } from '../../faces/fetch/create-mock.ts'
import { ask } from './ask.ts'

/** Adds each proposed option with which a mock answers the recorded writes more alike than without it. */
export async function proveWrites(
  { writes, proposals, options }: Learned,
  createMock: (options: readonly LearnedOption[]) => Promise<Mock | undefined>,
): Promise<WriteProof> {
  const first = await createMock(options)
  let best = { options, scores: first ? await scoreAll(first, writes) : [] }
  for (const proposal of proposals) {
    const key = JSON.stringify(proposal.path)
    const others = best.options.filter(({ path }) => JSON.stringify(path) !== key)
    const candidate = [...others, proposal]
    const mock = await createMock(candidate)
    const scores = mock ? await scoreAll(mock, writes) : []
    if (sum(scores) > sum(best.scores)) best = { options: candidate, scores }
  }
  const alike = writes.filter((_, at) => best.scores[at] === whole)
  // A path that is an action by one method alone would refuse the others.
  const isExplained = ({ name, exchange }: WriteSample): boolean =>
    best.options.some(({ path }) => path[1] === name && path[3] === actionOf(exchange))
  const actions = writes.filter(({ kind }) => kind === 'action')
  const unexplained = new Set(
    actions.filter((one) => isSuccess(one.exchange) && !isExplained(one)).map(placeOf),
  )
  const isDropped = ({ path: [, name, option, key = ''] }: LearnedOption): boolean =>
    option === 'actions' && unexplained.has(`${name} ${key.split(' ')[1]}`)
  const keys = alike.map(({ exchange: { at, method, path } }) => [at, method, path].join(' '))
  return {
    options: best.options.filter((option) => !isDropped(option)),
    alike: new Set(keys),
    actions: actions
      .filter((one) => (one.isShown || one.created) && unexplained.has(placeOf(one)))
      .map(({ exchange }) => exchange),
  }
}

/** The result of {@link proveWrites}. */
export interface WriteProof {
  options: readonly LearnedOption[]
  /** The writes that the mock answers as recorded: time, method and path. */
  alike: ReadonlySet<string>
  /** The actions whose responses show a changed record, and that no option explains. */
  actions: readonly ParsedExchange[]
}

function placeOf({ name, exchange }: WriteSample): string {
  return `${name} ${exchange.segments.at(-1)}`
}

function actionOf({ method, segments }: ParsedExchange): string {
  return `${method} ${segments.at(-1) ?? ''}`
}

/** The score of a response with the recorded status and body. */
const whole = 2

function sum(scores: readonly number[]): number {
  return scores.reduce((total, score) => total + score, 0)
}

async function scoreAll(mock: Mock, writes: readonly WriteSample[]): Promise<number[]> {
  const scores: number[] = []
  for (const write of writes) scores.push(await score(internalsOf(mock).fork(), write))
  return scores
}

/** Replays a write in a fork whose record is that before the write: 1 for the status, up to 1 for the body. */
async function score(fork: MockInternals, write: WriteSample): Promise<number> {
  const { exchange, before, created, kind, id } = write
  try {
    restore(fork, write)
    const reply = await ask(fork, exchange)
    if (reply.status !== exchange.status) return 0
    const newId = kind === 'create' ? id : created?.id
    return 1 + similarity(exchange.json ?? null, reply.json ?? null, exchange.at, newId)
  } catch {
    return 0
  } finally {
    fork.end()
  }

  function restore({ clock, db }: MockInternals, { name, above }: WriteSample): void {
    const collections = db as Record<string, CollectionDb>
    clock.set(exchange.at)
    if (created) collections[created.name]?.remove(created.id)
    if (above) put(collections[above.name], write.parent, above.record)
    const collection = collections[name]
    if (kind === 'create' && exchange.status < 400 && id !== undefined && collection?.get(id))
      collection.remove(id)
    if (kind !== 'create') put(collection, id, before)
  }
}

/** Stores a record as it was, in place of the one with its id. */
function put(collection: CollectionDb | undefined, id = '', record?: JsonRecord): void {
  if (!collection || !record) return
  if (collection.get(id) === undefined) collection.insert(record)
  else collection.replace(id, record)
}

/** Returns the part of the values that two bodies share; times near the request, and numbers of a new record, are equal. */
function similarity(wanted: Json, found: Json, time: number, newId: string | undefined): number {
  const [all, equal] = compare(wanted, found)
  return all === 0 ? 1 : equal / all

  function compare(left: Json | undefined, right: Json | undefined): [all: number, equal: number] {
    if (isRecord(left) && isRecord(right)) {
      const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
      const pairs = keys.map((key) => compare(left[key], right[key]))
      return pairs.reduce(([sizes, equals], [size, same]) => [sizes + size, equals + same], [0, 0])
    }
    if (isRecord(left) || isRecord(right)) {
      return [
        Math.max(1, ...[left, right].map((one) => (isRecord(one) ? Object.keys(one).length : 1))),
        0,
      ]
    }
    // The recorded id of a new record is given, so that the next one goes on from it.
    if (typeof left === 'number' && String(left) === newId) return [1, Number(right) > left ? 1 : 0]
    const isEqual = left !== undefined && right !== undefined && isSame(left, right)
    const areTimes = isTimeNear(left ?? null, time) && isTimeNear(right ?? null, time)
    const areNumbers = newId !== undefined && areNumbered(left ?? null, right ?? null)
    return [1, isEqual || areTimes || areNumbers ? 1 : 0]
  }
}

/** Whether two texts differ in the number at their end alone. */
function areNumbered(left: Json, right: Json): boolean {
  const [one, other] = [left, right].map(
    (value) => /^"(.*\D)\d+"$/.exec(JSON.stringify(value))?.[1],
  )
  return one !== undefined && one === other
}
