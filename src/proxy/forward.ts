import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import * as zlib from 'node:zlib'
import { type HeaderList, isBodiless } from '../core/http/contract/messages.ts'
import type { Forward, ForwardRequest, ForwardResponse } from '../core/proxy/forward.ts'
import { originOf } from '../core/proxy/ends.ts'
import { ownValue } from '../core/json/json.ts'
import { toPairs, createUpstream, isStale, type Upstream } from './upstream.ts'

/** Creates how `proxy()` sends requests in Node: by `node:http`, over connections that are kept open. */
export function createForward(): Forward {
  const upstreams = new Map<string, Upstream>()
  const upstreamOf = (origin: string, isInsecure: boolean): Upstream => {
    const key = `${origin} ${isInsecure}`
    const upstream = upstreams.get(key) ?? createUpstream(origin, isInsecure)
    upstreams.set(key, upstream)
    return upstream
  }
  return async (request) => {
    const { method, url, body, isInsecure, onCancel } = request
    const origin = originOf(url)
    const upstream = upstreamOf(origin, isInsecure)
    let isCancelled = false
    const send = async (): Promise<IncomingMessage> => {
      const path = url.slice(origin.length) || '/'
      const sent = upstream.request({ method, path, headers: toHeaders(request) })
      onCancel(() => {
        isCancelled = true
        sent.destroy()
      })
      sent.end(body)
      try {
        const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
        return incoming
      } catch (error) {
        if (body === undefined && !isCancelled && isStale(sent, error)) return send()
        throw error
      }
    }
    return toForwarded(await send(), method)
  }
}

/** Returns the headers of a request, which accept the codings that can be decoded. */
function toHeaders({ method, headers, body }: ForwardRequest): HeaderList {
  const kept = headers.filter(
    ([name]) => !/^(?:accept-encoding|content-length|expect)$/i.test(name),
  )
  kept.push(['Accept-Encoding', Object.keys(decoders).join(', ')])
  const hasLength = body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method)
  if (hasLength) kept.push(['Content-Length', String(Buffer.byteLength(body ?? ''))])
  return kept
}

function toForwarded(incoming: IncomingMessage, method: string): ForwardResponse {
  const { statusCode: status = 502, rawHeaders } = incoming
  const headers = toPairs(rawHeaders)
  if (method === 'HEAD' || isBodiless(status)) {
    incoming.resume()
    return { status, headers, body: null }
  }
  const { 'content-encoding': coding = '' } = incoming.headers
  const decoder = ownValue(decoders, coding.trim().toLowerCase().replace(/^x-/, ''))?.()
  if (!decoder) return { status, headers, body: incoming }
  return {
    status,
    headers: headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name)),
    // The reader of the body gets its errors.
    body: pipeline(incoming, decoder, () => undefined),
  }
}

const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex }

/** Decoders of content codings, as streams. */
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  ...(createZstdDecompress && { zstd: createZstdDecompress }),
}
