import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server'
import { toMessage } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { toText } from './bounds.ts'
import type { Sdk } from './load-sdk.ts'
import type { Controllable, Effect, Tool } from './tool.ts'
import { logTools } from './tools/log-tools.ts'
import { readTools } from './tools/read-tools.ts'
import { ruleTools } from './tools/rule-tools.ts'
import { stateTools } from './tools/state-tools.ts'
import { writeTools } from './tools/write-tools.ts'

/** Creates MCP servers, one for a connection over stdio, one for each request over HTTP, with all tools and schemas. */
export function createMcpServers(sdk: Sdk, version: string, find: FindMock): McpServerFactory {
  // Compiled once, as HTTP needs a server for each request.
  const inputs = new Map(tools.map((tool) => [tool, sdk.fromJsonSchema(toSchema(tool))]))
  return () => {
    const server = new sdk.McpServer(
      { name: 'fixtura', title: 'Fixtura', version },
      { instructions },
    )
    for (const [tool, inputSchema] of inputs) {
      const { name, title, description, effect, run } = tool
      const config = { title, description, inputSchema, annotations: annotations[effect] }
      server.registerTool(name, config, async (args) => {
        try {
          const result = await run(await find(), args as never)
          return { content: [{ type: 'text', text: toText(result) }] }
        } catch (error) {
          return { content: [{ type: 'text', text: describeError(error) }], isError: true }
        }
      })
    }
    addSchemas(sdk, server, find)
    return server
  }
}

const tools: readonly Tool[] = [
  ...readTools,
  ...writeTools,
  ...ruleTools,
  ...stateTools,
  ...logTools,
]

/** Finds the mock that tools control. Each call of a tool calls the function, because the mock may start later. */
export type FindMock = () => Promise<Controllable>

const instructions =
  'Controls a Fixtura mock: an HTTP API over fixture files that an application under development uses. Call list_resources first. Changes act on the running mock, and are in the fixture files only if the mock persists. To test how the application handles errors, use add_rule, and find_requests to see what it sent. Take a snapshot or call reset to go back.'

const annotations: Readonly<Record<Effect, object>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
}

function toSchema({ input, required = [] }: Tool): object {
  return { type: 'object', properties: input, required, additionalProperties: false }
}

/** Advice for agents by the code of an error, whose own advice is for users of the library. */
const advices: Readonly<Record<string, string>> = {
  METHOD_NOT_ALLOWED:
    'With these tools: a collection needs an "id"; a singleton takes get_record and update_record without one; a document only get_record.',
  TOKEN_MISSING: 'With mock mcp: --token, or the environment variable MOCK_TOKEN.',
  SESSION_UNKNOWN: 'Or start mock mcp without --session.',
}

function describeError(error: unknown): string {
  if (!(error instanceof MockError)) return `Failed to run the tool: ${toMessage(error)}`
  const advice = advices[error.code]
  return advice === undefined ? error.message : `${error.message} ${advice}`
}

function addSchemas(sdk: Sdk, server: McpServer, find: FindMock): void {
  async function readNames(): Promise<string[]> {
    const { mock } = await find()
    const { resources } = await mock.state()
    return resources.map(({ name }) => name)
  }

  const template = new sdk.ResourceTemplate('fixtura://schemas/{resource}', {
    list: async () => ({
      resources: (await readNames()).map((name) => ({
        uri: `fixtura://schemas/${encodeURIComponent(name)}`,
        name,
        mimeType,
      })),
    }),
    complete: {
      resource: async (start) => (await readNames()).filter((name) => name.startsWith(start)),
    },
  })
  const config = {
    title: 'JSON Schema of a resource',
    description:
      'The JSON Schema (2020-12) of the records: as declared by schema files and behaviours, else as inferred from the fixtures.',
    mimeType,
  }
  server.registerResource('schema', template, config, async (uri, { resource }) => {
    const name = decodeURIComponent(String(resource))
    const schema = await (await find()).readSchema(name)
    if (!schema) throw new sdk.ResourceNotFoundError(uri.href)
    return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(schema) }] }
  })
}

const mimeType = 'application/schema+json'
