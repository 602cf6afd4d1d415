import type { Exchange } from '../http/contract/exchange.ts'
import type { SocketMessage } from '../http/contract/messages.ts'
import { readMessage } from '../http/response/sockets.ts'
import { isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'

/** A message between a Phoenix channel and its client, in version 1 (an object) or 2 (a list) of the format. */
export interface Frame {
  topic: string
  event: string
  payload: JsonRecord
  ref?: Json | undefined
  joinRef?: Json | undefined
  /** The bytes of a broadcast whose payload is bytes, as clients of version 2 receive them. */
  bytes?: Uint8Array | undefined
}

/** Writes a frame as text. */
export function toText(
  { topic, event, payload, ref = null, joinRef = null }: Frame,
  isSecond: boolean,
): string {
  return JSON.stringify(
    isSecond ? [joinRef, ref, topic, event, payload] : { topic, event, payload, ref },
  )
}

/** Reads a frame; undefined if the message is none. */
export function readFrame(message: SocketMessage, exchange: Exchange): Frame | undefined {
  if (typeof message !== 'string') return readPush(message, exchange)
  const parsed = parse(message, exchange)
  const [joinRef = null, ref = null, topic, event, payload = {}] = Array.isArray(parsed)
    ? parsed
    : isRecord(parsed)
      ? [parsed['join_ref'], parsed['ref'], parsed['topic'], parsed['event'], parsed['payload']]
      : []
  if (typeof topic !== 'string' || typeof event !== 'string' || !isRecord(payload)) return undefined
  return { topic, event, payload, ref, joinRef }
}

/**
 * Reads the binary frame of a broadcast: the kind (3), the lengths of five texts (join_ref, ref, topic, event and
 * metadata), the encoding of the payload (1 is JSON), then the texts and the payload.
 */
function readPush(bytes: Uint8Array, exchange: Exchange): Frame | undefined {
  const [kind, ...lengths] = bytes.subarray(0, 6)
  if (kind !== 3 || bytes.length < 7) return undefined
  let offset = 7
  const parts = lengths.map((length) => bytes.subarray(offset, (offset += length)))
  const [joinRef, ref, topic, event] = parts.map((part) => decodeUtf8(toBinaryString(part)))
  const rest = bytes.subarray(offset)
  const [, , topicBytes, eventBytes] = parts
  if (!topic || event === undefined || !topicBytes || !eventBytes) return undefined
  const frame = { topic, event: 'broadcast', ref: ref || null, joinRef: joinRef || null }
  const payload = { type: 'broadcast', event }
  if (bytes[6] === 1) {
    const json = parse(decodeUtf8(toBinaryString(rest)) ?? '', exchange)
    return json === undefined ? undefined : { ...frame, payload: { ...payload, payload: json } }
  }
  const head = [4, topicBytes.length, eventBytes.length, 0, 0]
  return { ...frame, payload, bytes: Uint8Array.of(...head, ...topicBytes, ...eventBytes, ...rest) }
}

function parse(text: string, exchange: Exchange): Json | undefined {
  try {
    return readMessage(text, exchange)
  } catch {
    return undefined
  }
}
