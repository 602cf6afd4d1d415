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
    const all: (Measures | Error)[] = []
    for (const way of ways) {
      const written = join(folder, way)
      const measures = measureMock(style, way, written, { recorded, asked, startedAt })
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
  startedAt: number
}

async function measureMock(
  style: Style,
  way: Measures['way'],
  folder: string,
  { recorded, asked, startedAt }: Answered,
): Promise<Measures> {
  return {
    name: style.name,
    way,
    reads: await measureReads(style, folder, recorded, startedAt),
    ...(await measureQuestions(style, folder, asked, startedAt)),
    ...(await measureReplay(style, folder, recorded, startedAt)),
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
  const answers: Answer[] = []
  for (const step of style.questions) answers.push(await client.send(step))
  return answers
}

async function measureQuestions(
  style: Style,
  folder: string,
  asked: readonly Answer[],
  startedAt: number,
): Promise<Pick<Measures, 'right' | 'equal'>> {
  const found = await askAll(await createMockClient(style, folder), style)
  const rows = found.flatMap((answer, at): Row[] => {
    const wanted = asked[at]
    return wanted ? [{ wanted, found: answer }] : []
  })
  const comparison = createComparison(startedAt, false)
  const equal = toScore(rows, comparison.differences)
  const isRight = createComparison(startedAt, false).isRight
  const right = toScore(rows, (wanted, found) =>
    isRight(wanted, found) ? [] : comparison.differences(wanted, found),
  )
  return { right, equal }
}

async function measureReplay(
  style: Style,
  folder: string,
  recorded: readonly Answer[],
  startedAt: number,
): Promise<Pick<Measures, 'replayed' | 'statuses'>> {
  const client = await createMockClient(style, folder)
  const rows: Row[] = []
  for (const [at, step] of style.session.entries()) {
    const wanted = recorded[at]
    if (wanted) rows.push({ wanted, found: await client.send(step) })
  }
  const { differences } = createComparison(startedAt, true)
  return {
    replayed: toScore(rows, differences),
    statuses: toScore(rows, (wanted, found) =>
      wanted.status === found.status ? [] : [`status ${wanted.status} -> ${found.status}`],
    ),
  }
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

function readWritten(folder: string): Pick<Measures, 'config' | 'lines' | 'files'> {
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
    const cells = [of(reads), of(right), of(equal), percent(replayed), percent(statuses)]
    return `| ${[name, way, ...cells, files, lines].join(' | ')} |`
  })
  const head = ['back end', 'command', 'recorded reads', 'questions right', 'questions equal']
  const rest = ['session replayed', 'statuses', 'answer files', 'lines of config']
  const details = all.flatMap(({ name, way, reads, right, equal, replayed, config }) => [
    `\n## ${name}, mock ${way}`,
    ...toList('Recorded reads that are answered otherwise', reads.others),
    ...toList('Questions with a wrong status, record, order or total', right.others),
    ...toList(
      'Questions with another difference',
      equal.others.filter((line) => !right.others.includes(line)),
    ),
    ...toList('Requests of the session that are answered otherwise', replayed.others),
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
