import type { Option } from './option.ts'
import { readOptions } from './option-rows.ts'

/**
 * The options of `mock mcp`, which lets coding agents control a mock over the Model Context Protocol (MCP).
 */
export const mcpOptions: readonly Option[] = [
  {
    name: 'session',
    type: 'text',
    description: 'Control this session alone, with data, rules, clock and log of its own',
    example: 'agent',
  },
  {
    name: 'token',
    type: 'text',
    description: 'Token that a server beyond this machine prints',
    example: 'my-token',
    env: 'MOCK_TOKEN',
    toConfig: (token) => ({ token }),
  },
  {
    name: 'http',
    type: 'text',
    description:
      'Port of this machine to serve MCP over HTTP, instead of stdio; 0 picks a free one',
    default: 'off',
    example: '3100',
  },
  ...readOptions,
]
