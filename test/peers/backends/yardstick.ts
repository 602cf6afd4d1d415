import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Backend } from './backend.ts'
import { type Answer, type Client, commonOrigin, createClient, type Step } from './client.ts'
import { record, ways } from './command.ts'
import { type Comparison, createComparison } from './compare.ts'
import { loadRecorded } from './play.ts'

/** A back end in a house's style, a session of its front end, and questions that the session does not ask. */
export interface Style {
  name: string
  serve: () => Promise<Backend>
  /** The headers of every request; those whose placeholder is not known yet are left out. */
  headers: Record<string, string>
  session: readonly Step[]
  questions: readonly Step[]
}

/** Requests that are answered as they should be, of how many, and a line for each of the others. */
export interface Score {
  good: number
  of: number
  others: string[]
}

/** What the mock of a recording is worth. */
export interface Measures {
  /** The back end, and the command that has written the mock. */
  name: string
  way: (typeof ways)[number]
  /** Recorded reads that are answered as recorded. */
  reads: Score
  /** Questions with the right status, records, order and totals. */
  right: Score
  /** Questions that are answered equally to the last field. */
  equal: Score
  /** Answers and statuses of the session when it is played again with the mock alone. */
  replayed: Score
  statuses: Score
  /**
   * As `replayed` and `statuses`, but an answer that the real API itself gives otherwise the second time, such as that
   * to the payment of an order that is paid already, can be that of the second time. Fixtures hold the state after a
   * session. The second session follows the questions, for the mock as for the real API.
   */
  settled: Score
  settledStatuses: Score
  /** The number of files with recorded answers, and of lines of the configuration. */
  files: number
  lines: number
  /** The text of the configuration. */
  config: string
}

/** Records and imports the session of a style, and measures both mocks; an error in place of a mock that does not load. */
export async function measure(style: Style): Promise<(Measures | Error)[]> {
  const startedAt = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
  const backend = await style.serve()
  try {
    const recorded = await record(style, backend.origin, folder)
    const real = createClient(
      (path, init) => fetch(backend.origin + path, init),
      [backend.origin],
      style.headers,
    )
    const asked = await askAll(real, style)
    const again = await sendAll(real, style.session)
    const all: (Measures | Error)[] = []
    for (const way of ways) {
      const written = join(folder, way)
      const measures = measureMock(style, way, written, { recorded, asked, again, startedAt })
      all.push(await measures.catch(toError))
    }
    return all
  } finally {
    await backend.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the real API has answered. */
interface Answered {
  recorded: readonly Answer[]
  asked: readonly Answer[]
  again: readonly Answer[]
  startedAt: number
}

async function measureMock(
  style: Style,
  way: Measures['way'],
  folder: string,
  { recorded, asked, again, startedAt }: Answered,
): Promise<Measures> {
  return {
    name: style.name,
    way,
    reads: await measureReads(style, folder, recorded, startedAt),
    ...(await measureQuestions(style, folder, { recorded, asked, again, startedAt })),
    ...readWritten(folder),
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Creates a client of a new mock of the recording. */
async function createMockClient({ headers }: Style, folder: string): Promise<Client> {
  const mock = await loadRecorded(folder)
  return createClient((path, init) => mock.fetch(commonOrigin + path, init), [], headers)
}

/** The requests with which a client logs in: those of the session that are kept as `login`. */
function loginsOf({ session }: Style): Step[] {
  return session.filter((step) => typeof step !== 'string' && step[2]?.as === 'login')
}

async function measureReads(
  style: Style,
  folder: string,
  recorded: readonly Answer[],
  startedAt: number,
): Promise<Score> {
  // Conditional requests, and those without credentials, are compared when the session is played again.
  const isLoggedIn = recorded.map(({ isSpecial }) => !isSpecial)
  const reads = new Map(
    recorded
      .filter(
        ({ request, status }, at) => isLoggedIn[at] && request.startsWith('GET') && status !== 401,
      )
      .map((answer) => [answer.request, answer]),
  )
  const client = await createMockClient(style, folder)
  for (const step of loginsOf(style)) await client.send(step)
  const comparison = createComparison(startedAt, false)
  const rows: Row[] = []
  for (const [request, wanted] of reads) {
    rows.push({ wanted, found: await client.send(request) })
  }
  return toScore(rows, comparison.differences)
}

/** Logs in and asks the questions of a style; returns the answers to the questions. */
async function askAll(client: Client, style: Style): Promise<Answer[]> {
  for (const step of loginsOf(style)) await client.send(step)
  return sendAll(client, style.questions)
}

async function sendAll(client: Client, steps: readonly Step[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const step of steps) answers.push(await client.send(step))
  return answers
}

async function measureQuestions(
  style: Style,
  folder: string,
  answered: Answered,
): Promise<Omit<Measures, 'name' | 'way' | 'reads' | keyof Written>> {
  const { asked, startedAt } = answered
  const client = await createMockClient(style, folder)
  const rows = toRows(asked, await askAll(client, style))
  const comparison = createComparison(startedAt, false)
  const equal = toScore(rows, comparison.differences)
  const isRight = createComparison(startedAt, false).isRight
  const right = toScore(rows, (wanted, found) =>
    isRight(wanted, found) ? [] : comparison.differences(wanted, found),
  )
  const repeated = await sendAll(client, style.session)
  return { right, equal, ...(await measureReplay(style, folder, repeated, answered)) }
}

async function measureReplay(
  style: Style,
  folder: string,
  repeated: readonly Answer[],
  { recorded, again, startedAt }: Answered,
): Promise<Pick<Measures, 'replayed' | 'statuses' | 'settled' | 'settledStatuses'>> {
  const client = await createMockClient(style, folder)
  const rows = toRows(recorded, await sendAll(client, style.session))
  const [first, second, own] = [1, 2, 3].map(() => createComparison(startedAt, true))
  const statuses = (wanted: Answer, found: Answer): string[] =>
    wanted.status === found.status ? [] : [`status ${wanted.status} -> ${found.status}`]
  const isSecond = toRows(again, repeated).map((row, at) => {
    const before = recorded[at]
    const isAlike = second?.differences(row.wanted, row.found).length === 0
    const isChanged = before && (own?.differences(before, row.wanted).length ?? 0) > 0
    return isAlike && isChanged === true
  })
  const settle = (differences: Comparison['differences']): Comparison['differences'] => {
    const places = new Map(rows.map(({ wanted }, at) => [wanted, at]))
    return (wanted, found) => (isSecond[places.get(wanted) ?? 0] ? [] : differences(wanted, found))
  }
  const compare = first?.differences ?? (() => [])
  const lines = new Map(rows.map(({ wanted, found }) => [wanted, compare(wanted, found)]))
  const differences = (wanted: Answer): string[] => lines.get(wanted) ?? []
  return {
    replayed: toScore(rows, differences),
    statuses: toScore(rows, statuses),
    settled: toScore(rows, settle(differences)),
    settledStatuses: toScore(rows, settle(statuses)),
  }
}

function toRows(all: readonly Answer[], found: readonly Answer[]): Row[] {
  return all.flatMap((wanted, at): Row[] => {
    const answer = found[at]
    return answer ? [{ wanted, found: answer }] : []
  })
}

interface Row {
  wanted: Answer
  found: Answer
}

function toScore(rows: readonly Row[], differences: Comparison['differences']): Score {
  const others = rows.flatMap(({ wanted, found }) => {
    const lines = differences(wanted, found)
    if (lines.length === 0) return []
    const more = lines.length > 3 ? ` (and ${lines.length - 3} more)` : ''
    return [`${wanted.request}: ${lines.slice(0, 3).join('; ')}${more}`]
  })
  return { good: rows.length - others.length, of: rows.length, others }
}

type Written = Pick<Measures, 'config' | 'lines' | 'files'>

function readWritten(folder: string): Written {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const isAnswer = /_recorded[/\\].+\.\w+$/
  const config = names.includes('mock.config.jsonc')
    ? readFileSync(join(folder, 'mock.config.jsonc'), 'utf8')
    : ''
  return {
    config,
    lines: config.trim().split('\n').length,
    files: names.filter((name) => isAnswer.test(name)).length,
  }
}

/** Describes measures as a table in Markdown, with what differs and the configurations below it. */
export function toTable(all: readonly Measures[]): string {
  const of = ({ good, of: total }: Score): string => `${good} of ${total}`
  const percent = ({ good, of: total }: Score): string =>
    `${Math.floor((100 * good) / total)} % (${good} of ${total})`
  const rows = all.map((one) => {
    const { name, way, reads, right, equal, replayed, statuses, files, lines } = one
    const { settled, settledStatuses } = one
    const scores = [replayed, statuses, settled, settledStatuses]
    const cells = [of(reads), of(right), of(equal), ...scores.map(percent), files, lines]
    return `| ${[name, way, ...cells].join(' | ')} |`
  })
  const sessions = ['session replayed', 'statuses', 'or as repeated', 'statuses']
  const head = ['back end', 'command', 'recorded reads', 'questions right', 'questions equal']
  const rest = [...sessions, 'answer files', 'lines of config']
  const details = all.flatMap(({ name, way, reads, right, equal, replayed, settled, config }) => [
    `\n## ${name}, mock ${way}`,
    ...toList('Recorded reads that are answered otherwise', reads.others),
    ...toList('Questions with a wrong status, record, order or total', right.others),
    ...toList(
      'Questions with another difference',
      equal.others.filter((line) => !right.others.includes(line)),
    ),
    ...toList('Requests of the session that are answered otherwise', replayed.others),
    ...toList(
      'Of these, also answered otherwise than when the session is repeated',
      settled.others,
    ),
    '\n```jsonc',
    config.trim(),
    '```',
  ])
  return [
    `| ${[...head, ...rest].join(' | ')} |`,
    `| ${[...head, ...rest].map(() => '---').join(' | ')} |`,
    ...rows,
    ...details,
  ].join('\n')
}

function toList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, '', ...lines.map((line) => `- ${line}`)]
}
