import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { serveMcp } from '../../mcp/http.ts'
import { loadSdk, type Sdk, type StdioSdk } from '../../mcp/load-sdk.ts'
import { createMcpServers } from '../../mcp/server.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { readValue, toPort } from '../arguments/option-values.ts'
import type { Io } from '../io.ts'
import type { Terminal } from '../output/terminal.ts'
import { createMockFinder } from '../session/find-mock.ts'
import { createShutdown, type Shutdown } from '../session/shutdown.ts'
import { readPackage } from '../package-facts.ts'

/** `mock mcp`: serves the tools that control a running mock over standard input and output, or with `--http`. */
export async function runMcp(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, printError } = terminal
  const port = toHttpPort(args)
  const { find: findMock, close: closeMock } = createMockFinder(args, terminal)
  const sdk = await loadSdk()
  const servers = createMcpServers(sdk, readPackage().version, findMock)
  const shutdown = createShutdown(io)
  try {
    if (port === undefined) {
      const end = serveStdio(sdk, servers, io, shutdown)
      await shutdown.requested
      await end()
    } else {
      const serving = await serveMcp(sdk.createMcpHandler(servers), port)
      printError(`Serving MCP at ${serving.url}`)
      await shutdown.requested
      await serving.close()
    }
    return 0
  } finally {
    await closeMock().catch(() => undefined)
    shutdown.release()
  }
}

function toHttpPort({ values }: Arguments): number | undefined {
  const { http } = values
  return http === undefined ? undefined : readValue('--http', () => toPort(String(http)))
}

/** Serves over standard input and output; the end of the input requests the end of the program. */
function serveStdio(
  sdk: Sdk & StdioSdk,
  servers: McpServerFactory,
  { stdin, stdout }: Io,
  { request }: Shutdown,
): () => Promise<void> {
  const input = stdin as unknown as Readable
  for (const event of ['end', 'close']) input.once(event, request)
  // Only messages may be on standard output, and configurations of users log too.
  console.log = console.info = console.debug = console.error
  const transport = new sdk.StdioServerTransport(input, stdout as unknown as Writable)
  return sdk.serveStdio(servers, { transport }).close
}
