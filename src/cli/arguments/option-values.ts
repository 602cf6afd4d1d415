import { MockError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { DialectName } from '../../core/mock/file-config.ts'
import { isServerUrl } from '../../core/proxy/server-url.ts'
import { isDelay, isDuration } from '../../core/time/duration.ts'
import { isPort } from '../../faces/node/serve-options.ts'
import { dialectNames, isDialectName } from '../../load/config/dialect-names.ts'

/** Parses a TCP port. @throws MockError for any other text */
export function toPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (isPort(port)) return port
  throw invalid(`"${text}" is not a port. Please give a number from 0 to 65535.`)
}

/** Checks the name of a dialect. @throws MockError for any other text */
export function toDialect(name: string): DialectName {
  if (isDialectName(name)) return name
  throw invalid(`"${name}" is not a dialect. ${suggest(name, dialectNames)}`)
}

/** Checks a delay or a range of delays. @throws MockError for any other text */
export function toDelay(text: string): string {
  if (isDelay[0](text)) return text
  throw invalid(`"${text}" is not a delay. Please give 200, 2s or 200-800.`)
}

/** Checks the lifetime of a session. @throws MockError for any other text */
export function toTtl(text: string): string {
  if (isDuration[0](text)) return text
  throw invalid(`"${text}" is not a duration. Please give ${isDuration[1]}.`)
}

/** Checks the URL of a server. @throws MockError for any other text */
export function toServerUrl(text: string): string {
  if (isServerUrl[0](text)) return text
  throw invalid(
    `"${text}" is not the URL of a server. Please give one such as https://api.example.com.`,
  )
}

function invalid(reason: string): MockError {
  return new MockError(reason, { code: 'USAGE' })
}
