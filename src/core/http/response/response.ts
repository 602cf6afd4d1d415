import type { Answer } from '../../dialects/contract/dialect.ts'
import type { HeaderList, MockResponse } from '../contract/messages.ts'

/** Puts a body under the headers of an answer, and says how long it may be kept. */
export function toResponse(
  { status, headers, type }: Answer,
  body: string,
  cacheControl: string,
  validators: HeaderList,
): MockResponse {
  // Unlike a push, this leaves no room for more in what may be kept for long.
  const typed: HeaderList[number] = type === undefined ? jsonLine : ['Content-Type', type]
  return { status, headers: headers.concat([toCacheLine(cacheControl), typed], validators), body }
}

// Nearly all answers that are kept share these two lines.
const jsonLine: HeaderList[number] = ['Content-Type', 'application/json; charset=utf-8']
const usualLine: HeaderList[number] = ['Cache-Control', 'no-cache']

/** The line that says for how long an answer may be kept. */
export function toCacheLine(value: string): HeaderList[number] {
  return value === usualLine[1] ? usualLine : ['Cache-Control', value]
}

/** The lines by which a client finds out whether what it holds is still right. */
export function toValidators(tag: string, modified: string | undefined): HeaderList {
  const tagged: HeaderList[number] = ['ETag', tag]
  return modified === undefined ? [tagged] : [tagged, ['Last-Modified', modified]]
}
