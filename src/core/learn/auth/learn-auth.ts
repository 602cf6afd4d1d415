import { singularName } from '../../dialects/rest-names/variables.ts'
import { define, isRecord, isSame, type Json, type JsonRecord, tryJson } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { toStandIn } from '../../text/stand-in.ts'
import { mostFrequent } from '../configure/list-template.ts'
import { escapeTemplate, toLiteral } from '../configure/text-template.ts'
import type { LearnedOption } from '../learned.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import type { MergedCollection } from '../records/to-records.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import { takenWords } from '../writes/learn-refusals.ts'
import { idOf } from '../recognize/ids.ts'
import {
  askedOf,
  type EndpointKind,
  findUser,
  isGrantedAt,
  type Logins,
  nameOf,
  withoutTokens,
} from './find-logins.ts'

/** Learns the options of `auth` from the logins of a recording, and how its users log in. */
export function learnAuth(logins: Logins, facts: AuthFacts): LearnedAuth {
  const { kinds, identifier, field, by, place, names, known } = logins
  const { users, base, viewers, envelope } = facts
  const groups = new Map<EndpointKind, ParsedExchange[]>()
  for (const [one, kind] of kinds) addToMultimap(groups, kind, one)
  const isWritten = groups.get('me')?.some(({ method }) => method !== 'GET') === true
  const paths: Record<string, string> = {}
  const own: Record<string, string> = {}
  const bodies: Record<string, Json> = {}
  const statuses: Record<string, number> = {}
  for (const [kind, usualMethod, usual] of endpoints) {
    const all = groups.get(kind) ?? []
    const [first] = all
    if (!first) continue
    const path = first.path.slice(base.length)
    const isOwn = kind === 'register' || (kind === 'me' && isWritten)
    const method = isOwn || first.method === usualMethod ? '' : `${first.method} `
    const target = isOwn ? own : paths
    target[kind] = method + path
    const template = toBody(all, logins)
    const hasBody = template !== undefined && (kind !== 'logout' || template !== null)
    if (hasBody) bodies[kind] = template
    const status = all.find(isSuccess)?.status
    const standard = kind === 'logout' && hasBody ? 200 : usual
    if (usual !== undefined && status !== undefined && status !== standard) statuses[kind] = status
  }
  const [shared = null, ...others] = Object.values(bodies)
  const isShared = !('logout' in bodies) && others.every((other) => isSame(other, shared))
  const cookie = /^cookie (.*)/.exec(by)?.[1]
  const [login] = groups.get('login') ?? []
  const granted = groups.get('login')?.find((one) => isGrantedAt(one, place))
  const token =
    cookie === undefined &&
    valueAt({ json: granted?.json ?? null }, ['json', ...(tryJson(place) as string[])])
  const accounts = names.map((name, viewer) => {
    const standIn = passwordOf(logins, viewer)
    const words = standIn === undefined ? 'any password' : `"${standIn}", or the real password`
    return `${name} logs in with ${words}`
  })
  const value: JsonRecord = {
    ...(users !== 'users' && { users }),
    ...(cookie === undefined
      ? {
          ...(!/^bearer$/i.test(by) && { word: by }),
          ...(!String(token).startsWith('eyJ') && { tokens: 'opaque' }),
        }
      : { scheme: 'cookie', cookie }),
    by: [field],
    ...(identifier !== field && { identifier }),
    known: Object.fromEntries(
      [...known].flatMap(([at, text]) => (viewers[at] ? [[text, viewers[at]]] : [])),
    ),
    paths,
    ...own,
    ...(isShared ? { answer: shared } : { answers: bodies }),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    protect: learnProtected(logins, facts),
  }
  // A body such as `{ user: { … } }`, where records have another envelope.
  const [key = ''] = isRecord(login?.sent) ? Object.keys(login.sent) : []
  const isEnveloped = login !== undefined && askedOf(login) !== login.sent
  const isUsual = envelope === '$singular' && key === singularName(users)
  const body = { [escapeTemplate(key)]: '$record' }
  const evidence = 'a login has this body'
  const taken = groups.get('register')?.find(isTaken)
  const unique = taken && [...Object.keys(askedOf(taken)).filter(isNamedIn(taken)), field]
  return {
    options: [
      ...(isEnveloped && !isUsual
        ? [{ path: ['resources', users, 'body'], value: body, evidence }]
        : []),
      ...(unique
        ? [
            {
              path: ['resources', users, 'unique'],
              value: Object.fromEntries(unique.map((name) => [name, taken.status])),
              evidence: 'the API refuses accounts whose names are taken',
            },
          ]
        : []),
      { path: ['use', 'auth'], value, evidence: accounts.join('\n') },
    ],
    questions: accounts.map((text) => ({ text: `${text}.`, option: '' })),
  }
}

/** Whether an account is refused because there is one of its name. */
function isTaken({ status, json }: ParsedExchange): boolean {
  return status >= 400 && takenWords.test(JSON.stringify(json ?? null))
}

function isNamedIn({ json }: ParsedExchange): (name: string) => boolean {
  return (name) => JSON.stringify(json).includes(`"${name}"`)
}

/** Gives the accounts of a recording the stand-ins of their passwords; returns their ids, empty for an unknown one. */
export function addAccounts(logins: Logins, collections: readonly MergedCollection[]): string[] {
  const { identifier, field, kinds, names, collection: path } = logins
  const users = collections.find((one) => one.path === path)
  return names.map((name, viewer) => {
    // A user can have another name since the login.
    const seen = [...logins.users].flatMap(([one, user]) => {
      const isOwn =
        kinds.get(one) === 'me' ? one.viewer === viewer : nameOf(one, identifier) === name
      return isOwn ? (idOf(user, users?.idField) ?? []) : []
    })
    const named = [...(users?.records ?? [])].find(([, { record }]) => record[field] === name)?.[0]
    const id = seen.at(-1) ?? named ?? ''
    const password = passwordOf(logins, viewer)
    const { record } = users?.records.get(id) ?? {}
    if (password !== undefined && record) define(record, 'password', password)
    return record ? id : ''
  })
}

/** The options of `auth` and of its users, and sentences for the summary. */
interface LearnedAuth {
  options: LearnedOption[]
  questions: { text: string; option: string }[]
}

/** The endpoints of `auth`, with their usual methods and statuses. */
const endpoints: readonly (readonly [kind: EndpointKind, method: string, status?: number])[] = [
  ['login', 'POST', 200],
  ['logout', 'POST', 204],
  ['refresh', 'POST'],
  ['register', 'POST', 201],
  ['me', 'GET'],
]

/** The facts about the rest of a recording that `auth` depends on. */
interface AuthFacts {
  /** The name of the users' fixture, and the ids of the users. */
  users: string
  viewers: readonly string[]
  base: string
  nameOf: (path: string) => string
  resourcePaths: ResourcePaths
  /** The key of the envelope of records. */
  envelope: string
}

/** Returns the stand-in for the password of a user; undefined if the recording shows no wrong password. */
function passwordOf({ kinds, identifier, names }: Logins, viewer: number): string | undefined {
  const all = [...kinds.keys()].filter(({ check }) => check !== undefined)
  const isChecked = all.some((one) => kinds.get(one) === 'login' && one.status >= 400)
  const own = all.findLast((one) => isSuccess(one) && askedOf(one)[identifier] === names[viewer])
  return own?.check === undefined || !isChecked ? undefined : toStandIn(own.check)
}

/** Returns the template of the most frequent body of an endpoint; null for no body. */
function toBody(all: readonly ParsedExchange[], { field, place, shown }: Logins): Json | undefined {
  const isEntrance = all.some((one) => one.check !== undefined)
  // Some APIs answer a wrong password with the status 200.
  const granted = all.filter((one) => isGrantedAt(one, place))
  const templates = (isEntrance ? granted : all).filter(isSuccess).map(({ json }) => {
    const { user } = findUser(json, field) ?? {}
    const walk = (value: Json, path: readonly string[]): Json => {
      const key = path.at(-1) ?? ''
      if (JSON.stringify(path) === place) return '$accessToken'
      if (typeof value === 'string' && /refresh/i.test(key)) return '$refreshToken'
      if (typeof value === 'number' && /^expires_?in$/i.test(key)) return '$expiresIn'
      if (!isRecord(value)) return toLiteral(value)
      const own = value === user ? Object.keys(withoutTokens(value)) : []
      const rest = Object.entries(value).filter(([name]) => !own.includes(name))
      const isWhole = own.length === shown.size && own.every((name) => shown.has(name))
      const fields = isWhole ? '$user' : `$user.{${own.join(',')}}`
      if (own.length > 0 && rest.length === 0) return fields
      const inner = rest.map(([name, one]): [string, Json] => [name, walk(one, [...path, name])])
      return { ...(own.length > 0 && { '...': fields }), ...Object.fromEntries(inner) }
    }
    return JSON.stringify(json === undefined ? null : walk(json, []))
  })
  const [template] = mostFrequent(templates) ?? []
  return template === undefined ? undefined : tryJson(template)
}

/** Finds the requests that were refused without credentials: reads of a resource or path, and writes by method. */
function learnProtected(
  { exchanges, kinds }: Logins,
  { nameOf, base, resourcePaths }: AuthFacts,
): string[] {
  const open = new Set<string>()
  const refused = new Set<string>()
  for (const exchange of exchanges) {
    const { method, segments, path, status, isAnonymous } = exchange
    if (!isAnonymous || kinds.has(exchange)) continue
    const { collection } = resourcePaths.find(segments) ?? {}
    const name = collection === undefined ? `GET ${path.slice(base.length)}` : nameOf(collection)
    const pattern = method === 'GET' ? name : `${method} *`
    if (status === 401) refused.add(pattern)
    if (isSuccess(exchange)) open.add(pattern)
  }
  const found = [...refused].filter((pattern) => !open.has(pattern)).toSorted()
  const isWrite = (pattern: string): boolean => pattern.endsWith(' *')
  // No write that is open was recorded, so that each needs a login.
  if (!found.some(isWrite) || [...open].some(isWrite)) return found
  return [...found.filter((one) => !isWrite(one)), 'POST *', 'PUT *', 'PATCH *', 'DELETE *']
}
