import { checkOptions, isCount, isFlag, isListOf, isText } from '../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../time/duration.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { keepText, mediaType } from '../http/resource/body.ts'
import { wrongBody } from '../http/resource/body-error.ts'
import { type Exchange, onLeave } from '../http/contract/exchange.ts'
import {
  after,
  isBytes,
  isStream,
  type MaybePromise,
  type MockResponse,
} from '../http/contract/messages.ts'
import { toMatcher } from '../http/routing/matcher.ts'
import { fromSigns, toSigns } from '../text/binary-string.ts'
import { checkPatterns } from './shared/resources.ts'

/** How requests are told from repetitions of themselves. */
export interface IdempotencyOptions {
  /** Which requests may carry a key. @default ['POST *', 'PATCH *'] */
  on?: readonly string[]
  /** Whether they have to. @default false */
  required?: boolean
  /** The header that carries it. @default 'Idempotency-Key' */
  header?: string
  /** How long an answer is kept. @default '24h' */
  ttl?: Duration
  /** How many are kept, of at most 64 MiB together; past that the oldest goes. @default 10000 */
  limit?: number
}

interface Kept {
  /** What was sent with the key. */
  payload: string
  due: number
  /** Missing while the first request is still being answered. */
  response?: MockResponse
}

/**
 * Answers a request that is sent again with the same `Idempotency-Key` as the first time
 * (draft-ietf-httpapi-idempotency-key-header-07 §2.6).
 * @throws MockError when an option is wrong
 * @example idempotency({ required: true, on: ['POST /payments'] })
 */
export function idempotency(options: IdempotencyOptions = {}): Behaviour {
  checkOptions('the options of "idempotency"', options, {
    on: isListOf(isText),
    required: isFlag,
    header: isText,
    ttl: isDuration,
    limit: isCount,
  })
  const { on = ['POST *', 'PATCH *'], required = false, limit = 10_000 } = options
  const { header = 'Idempotency-Key' } = options
  const ttl = toMilliseconds(options.ttl ?? '24h')
  const checkStore = checkPatterns('idempotency', on)
  return {
    name: 'idempotency',
    create({ service, clock }) {
      checkStore(service.store)
      const kept = new Map<string, Kept>()
      let size = 0
      const matchers = on.map((text) => toMatcher(text, service.base))

      function answer(exchange: Exchange, key: string, payload: string): MockResponse | undefined {
        const place = placeOf(exchange, key)
        const known = kept.get(place)
        if (!known || known.due <= clock.now()) return keep(exchange, place, payload)
        if (known.payload !== payload) throw refuse(422, key, 'it came with another payload')
        if (!known.response) throw refuse(409, key, 'its first request is still being answered')
        exchange.reasons.push(`replayed "${key}"`)
        const { headers } = known.response
        return { ...known.response, headers: [...headers, ['Idempotency-Replayed', 'true']] }
      }

      function keep(exchange: Exchange, place: string, payload: string): undefined {
        const entry: Kept = { payload, due: clock.now() + ttl }
        forget(place)
        tidy()
        size += sizeOf(entry)
        kept.set(place, entry)
        onLeave(exchange, (response) => {
          if (kept.get(place) !== entry) return response
          forget(place)
          if (isStream(response.body) || response.status === 0) return response
          entry.response = { ...response, headers: [...response.headers] }
          size += sizeOf(entry)
          kept.set(place, entry)
          return response
        })
      }

      function forget(place: string): void {
        const entry = kept.get(place)
        if (entry && kept.delete(place)) size -= sizeOf(entry)
      }

      /** Makes room: for what has expired, then for the oldest. */
      function tidy(): void {
        for (const [place, { due }] of kept) {
          if (due > clock.now() && kept.size < limit && size < ROOM) return
          forget(place)
        }
      }

      return {
        at: {
          replay(exchange) {
            if (!matchers.some((matches) => matches(exchange))) return undefined
            const sent = exchange.headers[header.toLowerCase()]
            if (sent === undefined && !required) return undefined
            const key = readKey(sent, header)
            return after(readPayload(exchange), (payload) => answer(exchange, key, payload))
          },
        },
        reset() {
          kept.clear()
          size = 0
        },
      }
    },
  }
}

/**
 * The key: a string of RFC 9651 §3.3.3, or the same without its quotation marks, as many send it.
 * @throws MockError 400 when there is none, or one that cannot be
 */
function readKey(sent: string | undefined, header: string): string {
  const key = sent?.trim().replace(/^"((?:[^"\\]|\\.)*)"$/, '$1') ?? ''
  if (/^[\x21-\x7E]{1,255}$/.test(key)) return key
  const reason = sent === undefined ? 'it is missing' : 'it is no key'
  throw new MockError(
    `Failed to read "${header}": ${reason}. Please send 1 to 255 visible signs, such as a UUID.`,
    { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' },
  )
}

/** Another client, another method and another path have keys of their own. */
function placeOf({ user, headers, method, request }: Exchange, key: string): string {
  const client = user ? JSON.stringify(user['id'] ?? user) : (headers['authorization'] ?? '')
  return JSON.stringify([client, method, request.path, request.search, key])
}

/** What was sent, which stays there to be read by others. */
function readPayload(exchange: Exchange): MaybePromise<string> {
  const { request, service } = exchange
  const { maxBody } = service.limits
  if (mediaType(request) === 'multipart/form-data') {
    return after(request.form(maxBody), (form) => {
      exchange.request = { ...request, form: () => form }
      return JSON.stringify(form)
    })
  }
  if (request.bytes && !textual.test(mediaType(request) ?? 'json')) {
    return after(request.bytes(maxBody), (bytes) => {
      const signs = toSigns(bytes)
      exchange.request = { ...request, text: () => toText(signs), bytes: () => bytes }
      return signs
    })
  }
  return keepText(exchange)
}

/** The media types of what is always a text. */
const textual = /json$|^text\/|^application\/x-www-form-urlencoded$/

/** @throws MockError 400 when the signs are no UTF-8 */
function toText(signs: string): string {
  const text = fromSigns(signs)
  if (text !== undefined) return text
  throw wrongBody('it is not UTF-8', 'Please check its encoding.')
}

/** How much is kept, in characters and bytes. */
const ROOM = 64 * 1024 * 1024

function sizeOf({ payload, response }: Kept): number {
  const body = response?.body
  return payload.length + (typeof body === 'string' || isBytes(body) ? body.length : 0)
}

function refuse(status: 409 | 422, key: string, reason: string): MockError {
  const advice = status === 409 ? 'Please try again later.' : 'Please use a new key.'
  return new MockError(`Failed to use the key "${key}": ${reason}. ${advice}`, {
    status,
    code: status === 409 ? 'IDEMPOTENCY_KEY_BUSY' : 'IDEMPOTENCY_KEY_REUSED',
  })
}
