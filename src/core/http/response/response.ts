import type { Answer } from '../../dialects/contract/dialect.ts'
import type { HeaderList, MockResponse } from '../contract/messages.ts'

/**
 * Creates the response from a dialect's answer and its serialized body: adds `Cache-Control`,
 * `Content-Type` and the validators behind the headers of the answer.
 */
export function toResponse(
  { status, headers, type }: Answer,
  body: string,
  cacheControl: string,
  validators: HeaderList,
): MockResponse {
  // Unlike `push`, `concat` allocates no spare capacity, which the response cache would hold on to.
  const typed: HeaderList[number] = type === undefined ? jsonLine : ['Content-Type', type]
  return { status, headers: headers.concat([toCacheLine(cacheControl), typed], validators), body }
}

// Shared by nearly all cached responses.
const jsonLine: HeaderList[number] = ['Content-Type', 'application/json; charset=utf-8']
const usualLine: HeaderList[number] = ['Cache-Control', 'no-cache']

/** Returns the line of the header `Cache-Control`. */
export function toCacheLine(value: string): HeaderList[number] {
  return value === usualLine[1] ? usualLine : ['Cache-Control', value]
}

/** Returns the lines of the validators, `ETag` and `Last-Modified` (RFC 9110 §8.8). */
export function toValidators(tag: string, modified: string | undefined): HeaderList {
  const tagged: HeaderList[number] = ['ETag', tag]
  return modified === undefined ? [tagged] : [tagged, ['Last-Modified', modified]]
}
