import type * as sdkModule from '@modelcontextprotocol/server'
import type * as stdioModule from '@modelcontextprotocol/server/stdio'
import { codeOf } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'

/** Loads the optional MCP SDK. @throws MockError with the command that installs the SDK */
export async function loadSdk(): Promise<Sdk & StdioSdk> {
  try {
    const [sdk, stdio] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
    ])
    return { ...sdk, ...stdio }
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new MockError(
      'Failed to start the MCP server: the package "@modelcontextprotocol/server" is not installed. Please run `npm install --save-dev @modelcontextprotocol/server`.',
      { code: 'MCP_MISSING', cause },
    )
  }
}

/** The official SDK of the Model Context Protocol. */
export type Sdk = typeof sdkModule

/** The part of the SDK for standard input and output. */
export type StdioSdk = typeof stdioModule
