import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import type { DialectCandidate } from '../learned.ts'
import type { ExchangeGroups, KnownResources } from './envelopes.ts'
import { learnHeaders, type RecordedList } from './list-template.ts'
import { learnParameters } from './parameter-names.ts'
import { learnForms } from './resource-forms.ts'

/** The options of `rest` that recordings show of errors and writes. */
export interface LearnedAnswers {
  error?: Json
  errors?: JsonRecord
  messages?: Readonly<Record<string, string>>
  invalid?: Json
  fault?: Json
  reasons?: JsonRecord
  put?: 'merge'
  statuses?: Readonly<Record<string, number>>
}

/** Finds values of `dialect`, the likeliest first; a replay of the recorded reads chooses the first that answers best. */
export function findDialects(
  groups: ExchangeGroups,
  resources: KnownResources,
  answers: readonly LearnedAnswers[],
  errorType: string | undefined,
): DialectCandidate[] {
  const lists = [...groups.lists, ...groups.nested]
  const { evidence, ...names } = learnParameters(
    lists,
    (name) => resources.isField(name) || resources.isFilter(name),
  )
  const headers = learnHeaders(lists)
  const { envelopes, own, details: reasons, ...forms } = learnForms(groups, resources)
  const { statuses: _, ...others }: LearnedAnswers = Object.assign({}, ...answers)
  const all = Object.assign({}, envelopes['statuses'], ...answers.map(({ statuses }) => statuses))
  const bodies = {
    ...others,
    ...((others.error ?? others.errors) && errorType !== undefined && { errorType }),
    ...(headers && { headers }),
    ...(Object.keys(all).length > 0 && { statuses: all }),
  }
  const details: Record<string, string> = { ...evidence, ...reasons }
  if ('error' in bodies)
    details['error'] = `${Object.keys(bodies.messages ?? {}).length} kinds of errors have this body`
  if ('errors' in bodies) details['errors'] = 'the most frequent errors have these bodies'
  const isBeyond = 'PAGE_UNKNOWN' in { ...bodies.errors, ...bodies.messages }
  const beyond: JsonRecord = isBeyond ? { beyond: 'missing' } : {}
  const pages = forms.pages || isBeyond ? { ...beyond, ...forms.pages } : undefined
  const count = Object.keys(own).length
  const withOwn = (rest: JsonRecord): JsonRecord[] =>
    count > 0 ? [{ ...rest, resources: own }, rest] : [rest]
  const learned = withOwn({ ...names, ...envelopes, ...bodies, ...(pages && { pages }) })
    .filter((rest) => Object.keys(rest).length > 0)
    .map((rest) => ({ value: { rest }, evidence: 'names and envelopes of the API', details }))
  const changes: JsonRecord[] = [
    {},
    bodies,
    names,
    { ...names, ...bodies },
    { ...names, ...bodies, ...envelopes },
  ]
  const size = forms.pages?.['size']
  const withSize = (rest: JsonRecord): JsonRecord[] =>
    size === undefined ? [rest] : [rest, { ...rest, pages: { size } }]
  const presets = toPresets(lists, changes.flatMap(withOwn).flatMap(withSize), details)
  const standard: DialectCandidate = { value: undefined, evidence: '' }
  if (hasJsonServerNames(lists)) return [...presets, standard, ...jsonServers, ...learned]
  const isPlain = lists.every(({ query }) => query.length === 0)
  return [...presets, ...learned, standard, ...(isPlain ? jsonServers : [])]
}

/** Returns the preset whose envelopes the lists have, as one candidate for each set of options that change the preset. */
function toPresets(
  lists: readonly RecordedList[],
  changes: readonly JsonRecord[],
  details: Record<string, string>,
): DialectCandidate[] {
  const found = lists.map(({ json }) => findPreset(json)).filter((preset) => preset !== undefined)
  const [preset] = found
  if (!preset) return []
  const [name, words] = preset
  const count = found.filter((other) => other === preset).length
  const evidence = `${count} lists have the ${words}`
  return changes
    .filter((options, at) => changes.findIndex((earlier) => isSame(earlier, options)) === at)
    .map((options) => ({
      value: { rest: { preset: name, ...options } },
      evidence,
      details: { ...details, preset: evidence },
    }))
}

const jsonServers: readonly DialectCandidate[] = [
  { value: 'json-server-1', evidence: 'parameters of json-server 1' },
  { value: 'json-server-0', evidence: 'parameters of json-server 0.17' },
]

function hasJsonServerNames(lists: readonly RecordedList[]): boolean {
  const names = /^_(?:page|limit|per_page|sort|start|end|embed|expand)$/
  return lists.some(
    ({ query, headers }) =>
      query.some(([name]) => names.test(name)) ||
      headers.some(([name]) => /^x-total-count$/i.test(name)),
  )
}

function findPreset(json: Json): PresetRow | undefined {
  if (!isRecord(json)) return undefined
  return presets.find(([, , paths]) =>
    paths.every((path) => valueAt(json, path.split('.')) !== undefined),
  )
}

/** A preset of `rest`, its envelope in words, and the paths of members that every such envelope has. */
type PresetRow = readonly [name: string, words: string, paths: readonly string[]]

const presets: readonly PresetRow[] = [
  [
    'laravel',
    'paginator of Laravel',
    ['data', 'links.first', 'meta.current_page', 'meta.last_page', 'meta.per_page'],
  ],
  [
    'django-rest-framework',
    'pagination of Django REST framework',
    ['count', 'next', 'previous', 'results'],
  ],
  [
    'spring-data-rest',
    'HAL of Spring Data REST',
    ['_embedded', '_links.self', 'page.totalElements', 'page.number'],
  ],
  ['nestjsx-crud', 'page of @nestjsx/crud', ['data', 'count', 'total', 'page', 'pageCount']],
]
