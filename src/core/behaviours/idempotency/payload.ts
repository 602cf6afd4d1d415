import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { keepText, mediaType } from '../../http/resource/body.ts'
import { invalidBody } from '../../http/resource/body-error.ts'
import { decodeUtf8, toBinaryString } from '../../text/binary-string.ts'

/**
 * Reads the body of a request as a text, by which `idempotency` compares requests with the same key. Replaces
 * the request by a copy whose body can be read again.
 */
export function readPayload(exchange: Exchange): MaybePromise<string> {
  const { request, service } = exchange
  const { maxBody } = service.limits
  if (mediaType(request) === 'multipart/form-data') {
    return andThen(request.form(maxBody), (form) => {
      exchange.request = { ...request, form: () => form }
      return JSON.stringify(form)
    })
  }
  if (request.bytes && !textual.test(mediaType(request) ?? 'json')) {
    return andThen(request.bytes(maxBody), (bytes) => {
      const payload = toBinaryString(bytes)
      exchange.request = { ...request, text: () => toText(payload), bytes: () => bytes }
      return payload
    })
  }
  return keepText(exchange)
}

/** The media types whose bodies are always text. */
const textual = /json$|^text\/|^application\/x-www-form-urlencoded$/

/** Decodes a binary string as UTF-8. @throws MockError 400 for invalid UTF-8 */
function toText(binary: string): string {
  const text = decodeUtf8(binary)
  if (text !== undefined) return text
  throw invalidBody('it is not UTF-8', 'Please check its encoding.')
}
