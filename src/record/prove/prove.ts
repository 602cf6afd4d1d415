import { internalsOf } from '../../core/http/contract/internals.ts'
import { headerOf, type MockBody } from '../../core/http/contract/messages.ts'
import { isRecord, isSame, type Json, define, type JsonRecord } from '../../core/json/json.ts'
import type {
  DialectCandidate,
  Learned,
  RecordedAnswer,
  LearnedOption,
} from '../../core/learn/learned.ts'
import { compareTexts, type RecordedFile, toSearch } from '../../core/learn/parse-exchange.ts'
import { digestOfResource, recorded } from '../../core/learn/recorded/recorded.ts'
import { mentions, type StoredAnswer } from '../../core/learn/recorded/stored-answer.ts'
import { sortQuery } from '../../core/learn/to-answers.ts'
import type { RewriteRules } from '../../core/url/express-pattern.ts'
import { createMock, type Mock } from '../../faces/fetch/create-mock.ts'
import { toMockConfig } from '../../load/config/check-config.ts'
import { toConfig } from '../../load/config/config-file.ts'
import { createRewrites } from '../../load/rewrites.ts'
import type { Digests } from '../files/state.ts'
import { ask, tokenOf } from './ask.ts'
import { proveWrites } from './prove-writes.ts'

/**
 * Chooses the dialect that answers the most reads as recorded, and keeps a recorded answer for each other read. A
 * draft goes on from the draft before: the choice among the same dialects stays, and a read of one record is not
 * replayed while the record and the configuration are the same.
 */
export async function prove(
  learned: Learned,
  data: EditedData,
  draft?: Draft,
): Promise<ReplayResult> {
  const world = { ...learned, ...data }
  let best: { dialect: DialectCandidate; mock: Mock; replies: Reply[]; score: number } | undefined
  const candidates = JSON.stringify(learned.dialects.map(({ value }) => value ?? null))
  const chosen = draft?.candidates === candidates ? draft.dialect : undefined
  for (const dialect of chosen ? [chosen] : learned.dialects) {
    const mock = await tryMock(learned.options, world, dialect.value)
    if (!mock) continue
    const replies = await replay(mock, learned, chosen && draft, data)
    const alike = replies.filter(({ isAlike }) => isAlike).length
    // Among equal dialects, the form of the lists decides: most differ in totals and fields that no request has shown.
    const score = alike + replies.filter(({ isShaped }) => isShaped).length / (replies.length + 1)
    if (!best || score > best.score) best = { dialect, mock, replies, score }
  }
  const { dialect, replies } = best ?? { dialect: standard, replies: [] }
  const { options, alike, actions } = await proveWrites(
    draft ? { ...learned, proposals: [] } : learned,
    (some) => tryMock(some, world, dialect.value),
  )
  const needed = replies.filter(
    ({ read, isAlike }) => !isAlike && !read.resources.some((name) => data.edited.has(name)),
  )
  const digests = new Map<string, string>()
  const removed = new Set(learned.resources.flatMap(({ removed }) => removed))
  const answers = [
    ...actions.map((one) => toStored({ ...one, resources: [], isOutdated: false }, learned.origin)),
    ...learned.answers
      .filter(
        ({ at, method, path, missing }) =>
          !alike.has([at, method, path].join(' ')) || missing !== undefined,
      )
      .map((answer) => toStored(answer, learned.origin)),
    ...needed.map(({ read, status }) => {
      // If the mock has no record for a successful read, and no removal explains this, no resource can give the
      // response: writes do not outdate its answer.
      const isAlone =
        read.anonymous ||
        (status >= 400 && read.status < 400 && !removed.has(read.path.split('/').at(-1) ?? ''))
      return toStored(read, learned.origin, isAlone ? undefined : best?.mock, digests)
    }),
  ]
  if (draft) Object.assign(draft, { candidates, dialect })
  return {
    dialect,
    options,
    fromRecords: replies.filter(({ isAlike }) => isAlike).length,
    fromAnswers: needed.length,
    outdated: needed.filter(({ read }) => read.isOutdated).length,
    answers,
  }
}

/** The result of {@link prove}, and how many reads the mock answers as recorded. */
export interface ReplayResult {
  dialect: DialectCandidate
  /** The learned options, with those that the replay of the writes has confirmed. */
  options: readonly LearnedOption[]
  /** The number of reads that the records alone answer as recorded. */
  fromRecords: number
  /** The number of reads that need a recorded answer. */
  fromAnswers: number
  /** The number of needed answers that a later write in the recording has outdated. */
  outdated: number
  /** Every recorded answer: those of no resource, and those of reads that the records answer differently. */
  answers: StoredAnswer[]
}

/** Data by resource, and the resources edited by hand, which take precedence. */
export interface EditedData {
  values: Readonly<Record<string, Json>>
  edited: ReadonlySet<string>
  /** The digests of the records that the recording has written, by resource and id. */
  digests?: ReadonlyMap<string, Digests>
}

/** The memory of a recording that goes on: of the files that it wrote last. */
export interface Draft {
  /** The dialects to choose from, as JSON, and the choice. */
  candidates: string
  dialect: DialectCandidate | undefined
  /** The configuration that answered the reads in `alike`, as JSON. */
  config: string
  /** The reads of one record that the mock answers as recorded, by URL, with the digest of the record. */
  alike: Map<string, { json: Json | undefined; digest: string }>
}

/** Creates the memory of a recording that has not written yet. */
export function createDraft(): Draft {
  return { candidates: '', dialect: undefined, config: '', alike: new Map() }
}

const standard: DialectCandidate = { value: undefined, evidence: '' }

/** Finds the reads that a mock of the data and the recorded answers does not answer as recorded. */
export async function findDifferences(
  learned: Learned,
  data: EditedData,
  { dialect, answers, options }: ReplayResult,
  redact: readonly string[] = [],
): Promise<RecordedAnswer[]> {
  const mock = await tryMock(options, { ...learned, ...data }, dialect.value, { answers, redact })
  const replies = mock ? await replay(mock, learned) : []
  return replies.flatMap(({ read, isAlike }) => (isAlike ? [] : [read]))
}

async function tryMock(
  options: readonly LearnedOption[],
  { values: fixtures, viewers = [] }: Pick<EditedData, 'values'> & Pick<Learned, 'viewers'>,
  dialect: Json | undefined,
  answers?: Parameters<typeof recorded>[0],
): Promise<Mock | undefined> {
  try {
    const { routes, use: learned, ...others } = toConfigObject(options, dialect)
    const auth = isRecord(learned) ? learned['auth'] : undefined
    // Tokens of the recording, whichever way its clients carry credentials.
    const known = Object.fromEntries(
      viewers.flatMap((id, at) => (id === '' ? [] : [[tokenOf(at), id]])),
    )
    const own = isRecord(auth) && { auth: { ...auth, scheme: 'bearer', known } }
    const given = { schema: {}, ...own }
    const { use: behaviours = [], ...config } = await toConfig({ ...others, use: given })
    const rewrites = routes && (await createRewrites(routes as RewriteRules, ''))
    const use = [
      ...(rewrites ? [rewrites.behaviour] : []),
      ...(answers ? [recorded(answers)] : []),
      ...behaviours,
    ]
    return createMock({ ...(await toMockConfig(config)), use, fixtures })
  } catch {
    return undefined
  }
}

interface Reply {
  read: RecordedAnswer
  status: number
  isAlike: boolean
  /** Whether the JSON has the same keys and lengths of lists at its top. */
  isShaped: boolean
}

async function replay(
  mock: Mock,
  { reads, options }: Pick<Learned, 'reads' | 'options'>,
  draft?: Draft,
  { digests }: Pick<EditedData, 'digests'> = {},
): Promise<Reply[]> {
  const config = draft && JSON.stringify([draft.dialect, options])
  if (draft?.config !== config) Object.assign(draft ?? {}, { config, alike: new Map() })
  const replies: Reply[] = []
  for (const read of reads) {
    const { path, query, resources, segments, json, status } = read
    const target = `${path}?${toSearch(query)}`
    const [name = '', other] = resources
    // The digest of the only record in the response.
    const digest = other === undefined ? digests?.get(name)?.[segments.at(-1) ?? ''] : undefined
    const before = digest === undefined ? undefined : draft?.alike.get(target)
    if (before?.digest === digest && before && isSame(before.json, json)) {
      replies.push({ read, status, isAlike: true, isShaped: true })
      continue
    }
    const reply = await replayOne(mock, read)
    replies.push(reply)
    if (digest !== undefined && reply.isAlike) draft?.alike.set(target, { json, digest })
  }
  return replies
}

async function replayOne(mock: Mock, read: RecordedAnswer): Promise<Reply> {
  try {
    const { status, body, headers, text, json } = await ask(internalsOf(mock), read)
    const isStatus = status === read.status
    const isBody = read.file ? isFile(read.file, body, text) : isSame(json, read.json)
    const isHead = read.headers.every(
      ([name, value]) => !compared.test(name) || isSameValue(headerOf(headers, name), value),
    )
    const isAlike = isStatus && isBody && isHead
    return { read, status, isAlike, isShaped: isStatus && hasShape(json, read.json) }
  } catch {
    return { read, status: 0, isAlike: false, isShaped: false }
  }
}

/** The headers that clients read with a body. */
const compared = /^(?:content-type|x-total-count|x-total)$/i

/** Compares values of headers without parameters such as `charset`. */
function isSameValue(found: string | undefined, wanted: string): boolean {
  const withoutParameters = (text: string): string => text.replace(/\s*;.*$/, '').toLowerCase()
  return found !== undefined && withoutParameters(found) === withoutParameters(wanted)
}

function isFile(file: RecordedFile, body: MockBody, text: string): boolean {
  if ('text' in file) return text === file.text
  return body instanceof Uint8Array && Buffer.from(body).toString('base64') === file.base64
}

function hasShape(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(wanted)) return value.length === wanted.length
  if (!isRecord(value) || !isRecord(wanted)) return false
  const keys = Object.keys(wanted)
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && lengthOf(value[key]) === lengthOf(wanted[key]))
  )
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

/** With a mock, the answer gets digests of the data that it contains, each computed once. */
function toStored(
  { method, path, query, sent, status, headers, json, file, resources, ...rest }: RecordedAnswer,
  origin: string,
  mock?: Mock,
  digests: Map<string, string> = new Map(),
): StoredAnswer {
  const stored = mock && internalsOf(mock).store.resources
  const pins = resources.flatMap((name) => {
    const resource = stored?.get(name)
    if (!resource) return []
    const digest = digests.get(name) ?? digestOfResource(resource)
    digests.set(name, digest)
    return [[name, digest]]
  })
  return {
    method,
    path,
    ...(query.length > 0 && { query: sortQuery(query) }),
    ...(method !== 'GET' && sent !== undefined && { body: sent }),
    ...(rest.anonymous && { anonymous: true }),
    ...(rest.check !== undefined && { check: rest.check }),
    ...(rest.missing !== undefined && { missing: rest.missing }),
    ...(rest.user !== undefined && { user: rest.user }),
    status,
    ...(headers.length > 0 && { headers }),
    ...(mentions([json ?? null, headers, file ?? null], origin) && { origin }),
    ...(pins.length > 0 && { while: Object.fromEntries(pins) as Record<string, string> }),
    ...(json !== undefined && { value: json }),
    ...file,
  }
}

/** Combines learned options and a dialect into one configuration, with the resources in the order of their names. */
export function toConfigObject(
  options: readonly Pick<LearnedOption, 'path' | 'value'>[],
  dialect: Json | undefined,
): JsonRecord {
  const config: JsonRecord = {}
  for (const { path, value } of options) {
    let object = config
    for (const key of path.slice(0, -1)) {
      if (!Object.hasOwn(object, key)) define(object, key, {})
      object = object[key] as JsonRecord
    }
    define(object, path.at(-1) ?? '', value)
  }
  const rest = isRecord(dialect) && isRecord(dialect['rest']) ? dialect['rest'] : {}
  const { resources: own = {}, ...general } = rest as { resources?: JsonRecord }
  // The forms of nested lists alone have no resource to stand at.
  const [nested, single] = [true, false].map((isNested) =>
    Object.entries(own).filter(([name]) => name.includes('/:id/') === isNested),
  )
  const resources = new Map(Object.entries((config['resources'] ?? {}) as JsonRecord))
  for (const [name, forms] of single ?? []) {
    resources.set(name, { ...(resources.get(name) as JsonRecord), ...(forms as JsonRecord) })
  }
  const byName = [...resources].toSorted(([a], [b]) => compareTexts(a, b))
  const restOptions = {
    ...general,
    ...(nested?.[0] && { resources: Object.fromEntries(nested) }),
  }
  const isOwn = Object.keys(own).length > 0
  const toRest = Object.keys(restOptions).length > 0 ? { rest: restOptions } : 'rest'
  return {
    ...config,
    ...(byName.length > 0 && { resources: Object.fromEntries(byName) }),
    ...(dialect !== undefined && { dialect: isOwn ? toRest : dialect }),
  }
}
