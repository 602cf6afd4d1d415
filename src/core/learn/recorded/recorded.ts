import { isRecord, type Json } from '../../json/json.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  headerOf,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { keepText } from '../../http/resource/body.ts'
import { toBytes } from '../../text/base64.ts'
import { decode } from '../../url/pattern.ts'
import { hasCredentials } from '../privacy/credentials.ts'
import { createPrivacy } from '../privacy/protect.ts'
import { idOf } from '../recognize/ids.ts'
import { parseSent, withoutFinalSlashes } from '../parse-exchange.ts'
import { answerKey, type AnsweredRequest } from '../to-answers.ts'
import { digestOf, rebase, type StoredAnswer } from './stored-answer.ts'

/** Answers recorded requests, compared without credentials, while the data of the records in the answer is unchanged. */
export function recorded(options: RecordedOptions): Behaviour {
  const { answers, refusals, paths, privacy } = toTable(options)
  return {
    name: 'recorded',
    create({ service }) {
      const cached = new WeakMap<object, { version: unknown; digest: string }>()

      function isCurrent({ while: digests = {} }: StoredAnswer): boolean {
        return Object.entries(digests).every(([name, digest]) => currentDigest(name) === digest)
      }

      /** The digest of the data of a resource, computed once for each version of the data. */
      function currentDigest(name: string): string | undefined {
        const resource = service.store.resources.get(name)
        if (!resource) return undefined
        const known = cached.get(resource)
        if (known && known.version === resource.version) return known.digest
        const digest = digestOfResource(resource)
        cached.set(resource, { version: resource.version, digest })
        return digest
      }

      /** Finds the answer for the credentials of a request; an unknown password is refused where one was. */
      function choose(exchange: Exchange, request: AnsweredRequest): StoredAnswer | undefined {
        const { check, ...open } = request
        const headers = Object.entries(exchange.headers)
        const isAnonymous =
          !exchange.user && !hasCredentials(headers, exchange.params, privacy.names)
        return (
          (isAnonymous ? answers.get(answerKey({ ...open, anonymous: true })) : undefined) ??
          answers.get(answerKey(request)) ??
          answers.get(answerKey(open)) ??
          (check === undefined ? undefined : refusals.get(`${request.method} ${request.path}`))
        )
      }

      /** Login names are private: clients send them as they are, and the fixtures have stand-ins. */
      function standInOf(field: string, text: string): string {
        const parts = { path: '', segments: [], query: [], sent: { [field]: text } }
        const { sent } = privacy.protectRequest(parts)
        return isRecord(sent) && typeof sent[field] === 'string' ? sent[field] : text
      }

      /** Whether a record is there, whose removal is answered as recorded once it is not. */
      function isThere({ missing = '', path }: StoredAnswer): boolean {
        const resource = service.store.resources.get(missing)
        const id = decode(path.slice(path.lastIndexOf('/') + 1))
        return resource?.kind === 'collection' && resource.get(id) !== undefined
      }

      /** Whether an answer is for another user, as that to `GET /me` is. */
      function isOfOther({ user }: StoredAnswer, exchange: Exchange): boolean {
        if (user === undefined) return false
        const users = service.store.resources.get(exchange.userCollection ?? '')
        return idOf(exchange.user, users?.kind === 'collection' ? users.idField : 'id') !== user
      }

      function find(exchange: Exchange, sent?: Json): Answer | MockResponse | undefined {
        const { params: query } = exchange
        const method = exchange.method === 'HEAD' ? 'GET' : exchange.method
        const parts = { path: toPath(exchange), segments: [], query, sent }
        const found = choose(exchange, { method, ...privacy.protectRequest(parts) })
        if (!found || !isCurrent(found) || isThere(found) || isOfOther(found, exchange))
          return undefined
        exchange.reasons.push('recorded')
        return toAnswer(found, exchange.origin)
      }

      return {
        routes: toRoutes(options, service.base),
        at: {
          entry(exchange) {
            exchange.standInOf = standInOf
            return undefined
          },
          resource(exchange): MaybePromise<Answer | MockResponse | undefined> {
            const { method, headers } = exchange
            if (method === 'GET' || method === 'HEAD') return find(exchange)
            if (!paths.has(`${method} ${toPath(exchange)}`)) return undefined
            return andThen(keepText(exchange), (text) =>
              find(exchange, parseSent(text, headers['content-type'] ?? '')),
            )
          },
        },
      }
    },
  }
}

/** The options of {@link recorded}. */
export interface RecordedOptions {
  answers: readonly StoredAnswer[]
  /** The names of fields whose values the recording has replaced, besides fields that look private. */
  redact?: readonly string[]
}

/** Returns the digest of the data of a resource; an answer with its records is served while the digest is equal. */
export function digestOfResource(
  resource: { kind: 'collection'; records(): unknown } | { kind: string; get(): unknown },
): string {
  return digestOf('records' in resource ? resource.records() : resource.get())
}

interface Table {
  answers: Map<string, StoredAnswer>
  /** The answers to wrong passwords, by method and path. */
  refusals: Map<string, StoredAnswer>
  paths: Set<string>
  privacy: ReturnType<typeof createPrivacy>
}

function toTable({ answers, redact }: RecordedOptions): Table {
  const byRequest = answers.map((answer): [string, StoredAnswer] => {
    const { method, path, query = [], body, anonymous = false, check } = answer
    return [answerKey({ method, path, query, sent: body, anonymous, check }), answer]
  })
  const refused = answers.filter(({ check, status }) => check !== undefined && status >= 400)
  return {
    answers: new Map(byRequest),
    refusals: new Map(refused.map((answer) => [`${answer.method} ${answer.path}`, answer])),
    paths: new Set(answers.map(({ method, path }) => `${method} ${path}`)),
    privacy: createPrivacy(redact),
  }
}

/** Returns the path as the client has sent it, before any rewrite. */
function toPath({ request }: Exchange): string {
  return withoutFinalSlashes(request.path)
}

function toAnswer(stored: StoredAnswer, origin: string): Answer | MockResponse {
  const { status, headers = [], value, text, base64, origin: recordedOrigin } = stored
  if (text !== undefined || base64 !== undefined) {
    const body = base64 === undefined ? (text ?? '') : toBytes(base64)
    const file = { headers, body }
    const isMoved = recordedOrigin !== undefined && typeof body === 'string'
    return { status, ...(isMoved ? rebase(file, recordedOrigin, origin) : file) }
  }
  const type = headerOf(headers, 'Content-Type')
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const answer = { headers: others, value }
  const moved = recordedOrigin === undefined ? answer : rebase(answer, recordedOrigin, origin)
  return { status, ...moved, ...(type !== undefined && value !== undefined && { type }) }
}

function toRoutes(
  { answers }: RecordedOptions,
  base: string,
): { methods: string[]; path: string }[] {
  const methods = new Map<string, Set<string>>()
  for (const { method, path, while: digests } of answers) {
    if (digests || !path.startsWith(`${base}/`)) continue
    const below = path.slice(base.length)
    methods.set(below, (methods.get(below) ?? new Set()).add(method))
  }
  return [...methods].map(([path, all]) => ({ methods: [...all], path }))
}
