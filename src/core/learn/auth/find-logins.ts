import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { toStandIn } from '../../text/stand-in.ts'
import { isPasswordName } from '../privacy/credentials.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { createExtractor, shownRecords } from '../recognize/extract-records.ts'
import { idOf } from '../recognize/ids.ts'
import { findBase, type ResourcePath, type ResourcePaths } from '../recognize/resource-paths.ts'
import { mostFrequent } from '../configure/list-template.ts'

/**
 * Finds the logins of a recording: requests with a password whose response gives a credential that later requests carry.
 * Returns undefined without a login.
 */
export function findLogins(
  all: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): Logins | undefined {
  const { carriers, ends } = followCredentials(all)
  const used = [...carriers.values()].filter(({ by }) => by !== 'body')
  const first = chooseLogin(all, used)
  const name = first && findName(first.login, carriers)
  if (!name) return undefined
  const { login: example, place, by } = first
  const [identifier, field] = name
  const isEntrance = (one: ParsedExchange): boolean => isAccepted(one) && isGrantedAt(one, place)
  const entrances = all.filter(isEntrance)
  const names = [...new Set(entrances.map((login) => nameOf(login, identifier)))]
  const toViewer = (login: ParsedExchange): number => names.indexOf(nameOf(login, identifier))
  /** The number of the user who asks; undefined without a login, and after a logout. */
  const viewerOf = (one: ParsedExchange): number | undefined => {
    const { login } = carriers.get(one) ?? {}
    if (!login) return one.isAnonymous ? undefined : 0
    return one.at > (ends.get(login) ?? Infinity) ? undefined : toViewer(login)
  }
  const exchanges = all.map((one): ParsedExchange => {
    const viewer = viewerOf(one)
    return { ...one, ...(viewer !== undefined && { viewer }), isAnonymous: viewer === undefined }
  })
  const paths = new Set(entrances.map(({ path }) => path))
  const mePath = findMe(exchanges, field, names, resourcePaths)
  const kindOf = (one: ParsedExchange, carried?: Carried): EndpointKind | undefined => {
    if (one.path === mePath && /^(?:GET|PUT|PATCH)$/.test(one.method)) return 'me'
    if (carried && isLogout(one)) return 'logout'
    if (one.method !== 'POST') return undefined
    if (paths.has(one.path)) return one.path === example.path ? 'login' : 'register'
    return carried?.by === 'body' && isGrantedAt(one, place) ? 'refresh' : undefined
  }
  const kinds = new Map<ParsedExchange, EndpointKind>()
  const users = new Map<ParsedExchange, JsonRecord>()
  all.forEach((given, at) => {
    const one = exchanges[at] ?? given
    const kind = kindOf(one, carriers.get(given))
    if (kind) kinds.set(one, kind)
    const user = kind && isSuccess(one) ? findUser(one.json, field)?.user : undefined
    if (user) users.set(one, withoutTokens(user))
  })
  const known = new Map(used.map(({ login, standIn }) => [toViewer(login), standIn]))
  const own = findUsers(users, field, exchanges, resourcePaths)
  return { exchanges, kinds, names, identifier, field, place, by, known, users, ...own }
}

/** The credentials of a recording: the requests that carry one of a login, and the times of logouts, by login. */
interface Trail {
  carriers: ReadonlyMap<ParsedExchange, Carried>
  ends: ReadonlyMap<ParsedExchange, number>
}

/** The credential of a request, and its place there. */
interface Carried extends Grant {
  by: string
}

function followCredentials(all: readonly ParsedExchange[]): Trail {
  const grants = new Map<string, Grant>()
  const carriers = new Map<ParsedExchange, Carried>()
  const ends = new Map<ParsedExchange, number>()
  for (const exchange of all) {
    const found = (exchange.carried ?? []).flatMap(([by, digest]): Carried[] => {
      const grant = grants.get(digest)
      return grant ? [{ ...grant, by }] : []
    })
    const carried = found.find(({ by }) => !isCookie(by)) ?? found[0]
    if (carried) carriers.set(exchange, carried)
    if (exchange.status >= 400) continue
    if (carried && isLogout(exchange)) ends.set(carried.login, exchange.at)
    const login = isAccepted(exchange) ? exchange : carried?.login
    if (!login) continue
    const places = (exchange.granted ?? []).toSorted(
      ([a], [b]) => Number(isCookie(b)) - Number(isCookie(a)),
    )
    for (const [place, digest] of places) {
      grants.set(digest, { login, place, standIn: toStandIn(digest.split(' ')[0] ?? '') })
    }
  }
  return { carriers, ends }
}

/** Whether a request with a password is accepted. */
function isAccepted({ method, check, status }: ParsedExchange): boolean {
  return method === 'POST' && check !== undefined && status < 400
}

/** Chooses the first credential of the endpoint that gives the most of them. */
function chooseLogin(
  all: readonly ParsedExchange[],
  used: readonly Carried[],
): Carried | undefined {
  // A path such as `/graphql` is no endpoint of `auth`: it takes other requests too.
  const shared = new Set(
    all.flatMap((one) =>
      one.method === 'POST' && one.check === undefined && one.status < 400 ? [one.path] : [],
    ),
  )
  const paths = used.map(({ login }) => login.path)
  const own = paths.filter((path) => !registerPath.test(path) && !shared.has(path))
  const path = mostFrequent(own)?.[0]
  const given = used.filter(({ login }) => login.path === path)
  // A client that sends its token itself needs the token in the response, whatever cookies are set beside it.
  return given.find(({ by }) => !isCookie(by)) ?? given[0]
}

function isCookie(place: string): boolean {
  return place.startsWith('cookie ')
}

/**
 * Finds the field in which a login sends a name, and that of the user, which can be another: `email` of
 * `{ username: 'ada@example.org' }`.
 */
function findName(
  login: ParsedExchange,
  carriers: Trail['carriers'],
): [identifier: string, field: string] | undefined {
  const own = [...carriers.keys()].filter(
    (one) => carriers.get(one)?.login === login && one.method === 'GET' && isSuccess(one),
  )
  for (const [name, value] of Object.entries(askedOf(login))) {
    if (typeof value !== 'string' || isPasswordName(name)) continue
    const field = [login, ...own].map(({ json }) => fieldOf(json, name, value)).find(Boolean)
    if (field !== undefined) return [name, field]
  }
  return undefined
}

/** The logins of a recording. */
export interface Logins {
  /** All exchanges, each with the user who asks. */
  exchanges: readonly ParsedExchange[]
  /** The exchanges with endpoints of `auth`. */
  kinds: ReadonlyMap<ParsedExchange, EndpointKind>
  /** The names that users log in with; `viewer` of an exchange is an index. */
  names: readonly string[]
  /** The field of the name in the body of a login, and of a user: `email`. */
  identifier: string
  field: string
  /** The place of the credential in the response to a login: a path as JSON, or `cookie sid`. */
  place: string
  /** The word before the token in `Authorization`, or `cookie sid`. */
  by: string
  /** The stand-ins of the last credentials of the users. */
  known: ReadonlyMap<number, string>
  /** The users that the endpoints show. */
  users: ReadonlyMap<ParsedExchange, JsonRecord>
  /** The path of their collection, and whether other exchanges show its records. */
  collection: string
  isKnown: boolean
  /** The fields of a user that responses show, and those that only the endpoints show. */
  shown: ReadonlySet<string>
  hidden: readonly string[]
}

/** The logins of a recording, and the ids of the users. */
export interface Accounts {
  logins: Logins
  viewers: readonly string[]
}

/** The path of the user whom a registration makes, or who changes; `other` for the other endpoints of `auth`. */
export function toUserPath(
  exchange: ParsedExchange,
  { logins: { kinds, collection }, viewers }: Accounts,
): ResourcePath | 'other' | undefined {
  const kind = kinds.get(exchange)
  if (kind === undefined) return undefined
  if (kind === 'register') return { kind: 'collection', collection }
  const id = viewers[exchange.viewer ?? -1]
  return kind === 'me' && id ? { kind: 'member', collection, id } : 'other'
}

/** An endpoint of `auth`. */
export type EndpointKind = 'login' | 'logout' | 'refresh' | 'register' | 'me'

/** The login that has given a credential, the place of the credential in a response, and its stand-in. */
interface Grant {
  login: ParsedExchange
  place: string
  standIn: string
}

const registerPath = /(?:regist(?:er|ration)|sign-?up|join|users|accounts)$/i

/** Whether the response gives a credential at a place. */
export function isGrantedAt({ granted = [] }: ParsedExchange, place: string): boolean {
  return granted.some(([at]) => at === place)
}

function isLogout({ method, segments }: ParsedExchange): boolean {
  const last = segments.at(-1) ?? ''
  return /log-?out|sign-?out/i.test(last) || (method === 'DELETE' && /sessions?|login/i.test(last))
}

/** Returns the fields in the body of a request, without an envelope: `{ user: { email } }`. */
export function askedOf({ sent }: ParsedExchange): JsonRecord {
  if (!isRecord(sent)) return {}
  const [inner, other] = Object.values(sent)
  return inner !== undefined && other === undefined && isRecord(inner) ? inner : sent
}

/** Returns the name that a login sends. */
export function nameOf(login: ParsedExchange, field: string): string {
  return scalarText(askedOf(login)[field])
}

/** Returns the field of a user that has the name of a login: that of the same name, or another. */
function fieldOf(json: Json | undefined, name: string, value: string): string | undefined {
  if (findUser(json, name, value)) return name
  if (!isRecord(json)) return undefined
  const own = Object.keys(json).find((key) => json[key] === value)
  return (
    own ??
    Object.values(json)
      .map((one) => fieldOf(one, name, value))
      .find(Boolean)
  )
}

/** Finds the object in JSON that has a field, with the value if it is given; not inside of lists. */
export function findUser(
  json: Json | undefined,
  field: string,
  value?: string,
  path: readonly string[] = [],
): { user: JsonRecord; path: readonly string[] } | undefined {
  if (!isRecord(json)) return undefined
  const own = json[field]
  if (typeof own === 'string' && (value === undefined || own === value)) return { user: json, path }
  for (const [key, inner] of Object.entries(json)) {
    const found = findUser(inner, field, value, [...path, key])
    if (found) return found
  }
  return undefined
}

/** Finds the path of the user who asks: the shortest one that shows nothing but a user who has logged in, and names none. */
function findMe(
  exchanges: readonly ParsedExchange[],
  field: string,
  names: readonly string[],
  resourcePaths: ResourcePaths,
): string | undefined {
  const paths = exchanges.flatMap(({ method, path, segments, query, viewer, json, status }) => {
    const found =
      method === 'GET' && status === 200 && viewer !== undefined && query.length === 0
        ? findUser(json, field, names[viewer])
        : undefined
    const id = scalarText(found?.user[field])
    const isNamed = segments.includes(id) || segments.includes(String(idOf(found?.user)))
    const isAlone = found !== undefined && isAloneIn(json, found.user)
    return isAlone && !isNamed && resourcePaths.find(segments)?.kind !== 'collection' ? [path] : []
  })
  return paths.toSorted((a, b) => a.split('/').length - b.split('/').length)[0]
}

/** Whether JSON has no objects and lists beside an object: a dashboard is not the user whom it names. */
function isAloneIn(json: Json | undefined, user: JsonRecord): boolean {
  if (json === user || !isRecord(json)) return json === user
  const inner = Object.values(json).filter((one) => typeof one === 'object' && one !== null)
  return inner.length === 1 && isAloneIn(inner[0], user)
}

/** Returns a user without passwords, tokens and their times. */
export function withoutTokens(user: JsonRecord): JsonRecord {
  const own = Object.entries(user).filter(
    ([name, value]) =>
      isRecord(value) || !(/token|jwt|expires/i.test(name) || isPasswordName(name)),
  )
  return Object.fromEntries(own)
}

/** Finds the collection whose records the users are, by equal values; otherwise a new one. */
function findUsers(
  users: ReadonlyMap<ParsedExchange, JsonRecord>,
  field: string,
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): Pick<Logins, 'collection' | 'isKnown' | 'shown' | 'hidden'> {
  const extract = createExtractor(exchanges, resourcePaths)
  const scores = new Map<string, number>()
  const fields = new Map<string, Set<string>>()
  const own = [...new Set([...users.values()].flatMap(Object.keys))]
  const distinct = [...new Map([...users.values()].map((user) => [user[field], user])).values()]
  const paths = new Map<string, string[]>()
  for (const exchange of exchanges) {
    const extracted =
      exchange.method === 'GET' && !users.has(exchange) ? extract(exchange) : undefined
    if (!extracted) continue
    const { collection } = extracted.resourcePath
    paths.set(collection, collection.split('/'))
    const names = fields.get(collection) ?? new Set()
    fields.set(collection, names)
    for (const record of shownRecords(extracted)) {
      for (const name of Object.keys(record)) names.add(name)
      const best = Math.max(...distinct.map((user) => likeness(user, record)))
      if (best > (scores.get(collection) ?? 1)) scores.set(collection, best)
    }
  }
  const [known] = [...scores].toSorted(([, a], [, b]) => b - a)
  if (known) {
    const [collection] = known
    const shown = fields.get(collection) ?? new Set()
    return { collection, isKnown: true, shown, hidden: own.filter((name) => !shown.has(name)) }
  }
  const base = findBase([...paths.values()]).slice(1)
  const folder = base === '' ? '' : `${base}/`
  const collection = `${folder}${paths.has(`${folder}users`) ? 'accounts' : 'users'}`
  return { collection, isKnown: false, shown: new Set(own), hidden: [] }
}

/** The number of equal values of two records of one id; 0 for others. */
function likeness(user: JsonRecord, record: JsonRecord): number {
  const shared = Object.keys(user).filter((key) => Object.hasOwn(record, key))
  const isOther = idOf(user) !== undefined && idOf(user) !== idOf(record)
  const equal = shared.filter(
    (key) => user[key] === record[key] && /string|number/.test(typeof user[key]),
  )
  return isOther ? 0 : equal.length
}
