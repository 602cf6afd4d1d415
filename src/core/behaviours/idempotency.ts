import { checkOptions, isCount, isFlag, isHeaderName, isListOf, isText } from '../errors/check.ts'
import { type Duration, isSpan, toMilliseconds } from '../time/duration.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../http/contract/exchange.ts'
import {
  andThen,
  isBytes,
  isStream,
  type MaybePromise,
  type MockResponse,
} from '../http/contract/messages.ts'
import { toMatcher } from '../http/routing/matcher.ts'
import { keepText, mediaType, invalidBody, unread } from '../http/resource/body.ts'
import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'
import type { OperationDescription } from '../http/contract/description.ts'
import { coverageOf } from './shared/coverage.ts'
import { checkPatterns } from './shared/resources.ts'
import { memoryLimit, openStored } from './shared/world-state.ts'

/**
 * Replays the first response to requests with the same `Idempotency-Key`, so that a client can repeat a request
 * without a second write (draft-ietf-httpapi-idempotency-key-header-07 §2.6).
 * @throws MockError when an option is wrong
 * @example idempotency({ required: true, on: ['POST /payments'] })
 */
export function idempotency(options: IdempotencyOptions = {}): Behaviour {
  checkOptions('the options of "idempotency"', options, {
    on: isListOf(isText),
    required: isFlag,
    header: isHeaderName,
    ttl: isSpan,
    limit: isCount,
  })
  const { on = ['POST *', 'PATCH *'], required = false, header = 'Idempotency-Key' } = options
  const { ttl = '24h', limit = 10_000 } = options
  const lifetime = toMilliseconds(ttl)
  const checkStore = checkPatterns('idempotency', on)
  return {
    name: 'idempotency',
    create(world) {
      const { clock } = world
      checkStore(world)
      const entries = openStored<Entry>(world, 'responses')
      const maxSize = memoryLimit(world)
      let size = 0
      for (const [id, entry] of entries) {
        // The first request ended with its process, so that its client has no response.
        if (entry.response) size += sizeOf(entry)
        else entries.delete(id)
      }
      const matchers = on.map((text) => toMatcher(text))

      function answer(exchange: Exchange, key: string, payload: string): MockResponse | undefined {
        const id = toId(exchange, key)
        const entry = entries.get(id)
        if (!entry || entry.due <= clock.now()) return record(exchange, id, payload)
        if (entry.payload !== payload) throw wrongUse(422, key, 'it was used with another payload')
        if (!entry.response) throw wrongUse(409, key, 'its first request is still in progress')
        exchange.reasons.push(`replayed "${key}"`)
        const { headers } = entry.response
        return { ...entry.response, headers: [...headers, ['Idempotency-Replayed', 'true']] }
      }

      function record(exchange: Exchange, id: string, payload: string): undefined {
        const entry: Entry = { payload, due: clock.now() + lifetime }
        remove(id)
        removeOldest()
        size += sizeOf(entry)
        entries.set(id, entry)
        onLeave(exchange, (response) => {
          if (entries.get(id) !== entry) return response
          remove(id)
          const isEarly = response.status === exchange.ended?.status
          if (isEarly || isStream(response.body) || response.status === 0) return response
          entry.response = { ...response, headers: [...response.headers] }
          size += sizeOf(entry)
          entries.set(id, entry)
          return response
        })
      }

      function remove(id: string): void {
        const entry = entries.get(id)
        if (entry && entries.delete(id)) size -= sizeOf(entry)
      }

      /** Removes entries, the oldest first, until the next entry is valid and the limits are kept. */
      function removeOldest(): void {
        for (const [id, { due }] of entries) {
          if (due > clock.now() && entries.size < limit && size < maxSize) return
          remove(id)
        }
      }

      return {
        describe: () => ({
          operation: (operation) =>
            coverageOf(on, operation, true) === 'none' ? undefined : describeKey(header, required),
        }),
        at: {
          replay(exchange) {
            if (!matchers.some((matches) => matches(exchange))) return undefined
            const sent = exchange.headers[header.toLowerCase()]
            if (sent === undefined && !required) return undefined
            const key = readKey(sent, header)
            return andThen(readPayload(exchange), (payload) => answer(exchange, key, payload))
          },
        },
        reset() {
          entries.clear()
          size = 0
        },
      }
    },
  }
}

/** The options of {@link idempotency}. */
export interface IdempotencyOptions {
  /** Patterns of the requests whose key is read. @default ['POST *', 'PATCH *'] */
  on?: readonly string[]
  /** Whether such a request without a key gets 400. @default false */
  required?: boolean
  /** The header with the key. @default 'Idempotency-Key' */
  header?: string
  /** How long a response is stored. @default '24h' */
  ttl?: Duration
  /**
   * The number of stored responses, of at most 64 MiB together (4 MiB in a worker); the oldest are removed.
   * @default 10000
   */
  limit?: number
}

interface Entry {
  payload: string
  /** The expiry, in milliseconds since 1970. */
  due: number
  /** Missing while the first request is in progress. */
  response?: MockResponse
}

/** Reads the key: a string of RFC 9651 §3.3.3, or the bare key that many clients send. */
function readKey(sent: string | undefined, header: string): string {
  const key = sent?.trim().replace(/^"((?:[^"\\]|\\.)*)"$/, '$1') ?? ''
  if (/^[\x21-\x7E]{1,255}$/.test(key)) return key
  const reason = sent === undefined ? 'the key is missing' : 'the key is invalid'
  throw new MockError(
    `Failed to read "${header}": ${reason}. Please send 1 to 255 visible ASCII characters, such as a UUID.`,
    { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' },
  )
}

/** Returns the id of an entry: each client, method and URL has its own keys. */
function toId({ user, headers, method, request }: Exchange, key: string): string {
  const client = user ? JSON.stringify(user['id'] ?? user) : (headers['authorization'] ?? '')
  return JSON.stringify([client, method, request.path, request.search, key])
}

function sizeOf({ payload, response }: Entry): number {
  const body = response?.body
  return payload.length + (typeof body === 'string' || isBytes(body) ? body.length : 0)
}

function wrongUse(status: 409 | 422, key: string, reason: string): MockError {
  const advice = status === 409 ? 'Please try again later.' : 'Please use a new key.'
  return new MockError(`Failed to use the key "${key}": ${reason}. ${advice}`, {
    status,
    code: status === 409 ? 'IDEMPOTENCY_KEY_BUSY' : 'IDEMPOTENCY_KEY_REUSED',
  })
}

/** Reads the body as text, and replaces the request by a copy whose body can be read again. */
function readPayload(exchange: Exchange): MaybePromise<string> {
  const { request, service } = exchange
  const { maxBody } = service.limits
  if (mediaType(request) === 'multipart/form-data') {
    return andThen(request.form(maxBody), (form) => {
      exchange.request = { ...request, ...unread, form: () => form }
      return JSON.stringify(form)
    })
  }
  if (request.bytes && !textual.test(mediaType(request) ?? 'json')) {
    return andThen(request.bytes(maxBody), (bytes) => {
      const payload = toBinaryString(bytes)
      exchange.request = {
        ...request,
        ...unread,
        text: () => toText(payload),
        bytes: () => bytes,
      }
      return payload
    })
  }
  return keepText(exchange)
}

const textual = /json$|^text\/|^application\/x-www-form-urlencoded$/

function toText(binary: string): string {
  const text = decodeUtf8(binary)
  if (text !== undefined) return text
  throw invalidBody('it is not UTF-8', 'Please check its encoding.')
}

function describeKey(header: string, required: boolean): OperationDescription {
  const description = 'A key of the request, which repeats have too: they get the same response.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return {
    parameters: [{ name: header, in: 'header', required, description, schema }],
    headers: {
      'Idempotency-Replayed': {
        description: '`true` for the response of an earlier request.',
        schema: { type: 'string' },
      },
    },
    errors: {
      400: `The header \`${header}\` is missing or invalid.`,
      409: 'The first request with the key is still in progress.',
      422: 'The key was used with another body.',
    },
  }
}
