import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { toMessage } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Access, Answerer } from '../core/http/contract/answerer.ts'
import type { MockRequest, MockResponse } from '../core/http/contract/messages.ts'
import { isSameOrigin } from '../core/http/cors/access.ts'
import { toAccess } from '../faces/node/http/access.ts'
import { answer } from '../faces/node/http/answer.ts'
import { guard, toSettings } from '../faces/node/guard.ts'
import { hostsOf, listenOn } from '../faces/node/listen.ts'

/** Serves MCP on the loopback interface, but not foreign pages. @throws MockError when the port is in use */
export async function serveMcp(handler: McpHttpHandler, port: number): Promise<McpServing> {
  const host = 'localhost'
  const access = toAccess(host, {})
  const answerer = toAnswerer(handler)
  const { bound, shutdowns } = await listenOn(hostsOf(host), port, () => {
    const server = process.getBuiltinModule('node:http').createServer(toSettings({}))
    guard(server, {}, (request, response, onRead) =>
      answer(answerer, request, response, access, onRead),
    )
    return server
  })
  return {
    url: `http://${host}:${bound}${path}`,
    async close() {
      await handler.close()
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(1000)))
    },
  }
}

/** A running MCP server over HTTP. */
export interface McpServing {
  /** The URL that an agent connects to: `http://localhost:3100/mcp`. */
  url: string
  close(): Promise<void>
}

const path = '/mcp'

/** The largest message, in bytes; a message can contain many records to insert. */
const maxBody = 10 * 1024 * 1024

function toAnswerer(handler: McpHttpHandler): Answerer {
  return {
    base: '',
    owns: () => true,
    async handle(request, access) {
      try {
        checkRequest(request, access)
        return toMockResponse(await handler.fetch(await toRequest(request)))
      } catch (error) {
        return toRefusal(error)
      }
    },
  }
}

function checkRequest(request: MockRequest, access: Access): void {
  access.check?.(request)
  if (!isSameOrigin(request)) {
    throw new MockError(
      'Failed to accept the request: a page of another origin sent it. Please use a client that is not a browser.',
      { status: 403, code: 'ORIGIN_FOREIGN' },
    )
  }
  if (request.path !== path) {
    throw new MockError(`Failed to find "${request.path}". Please send MCP messages to ${path}.`, {
      status: 404,
      code: 'NOT_FOUND',
    })
  }
}

async function toRequest(request: MockRequest): Promise<Request> {
  const { method, origin, search, headers, bytes, onAbort } = request
  const controller = new AbortController()
  onAbort?.(() => controller.abort())
  const lines = Object.entries(headers).filter(([, value]) => value !== undefined)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? new Uint8Array((await bytes?.(maxBody)) ?? []) : null
  const { signal } = controller
  return new Request(origin + path + search, {
    method,
    headers: lines as [string, string][],
    body,
    signal,
  })
}

function toMockResponse({ status, headers, body }: Response): MockResponse {
  return { status, headers: [...headers], body }
}

/** Answers a refused request with an error of JSON-RPC, as MCP clients expect. */
function toRefusal(error: unknown): MockResponse {
  const status = error instanceof MockError ? error.status : 500
  const message = toMessage(error)
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify(body) }
}
