import { MockError } from '../../errors/mock-error.ts'
import type { Params } from '../../url/params.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { type GivenParams, lastOf, wireName } from './given-params.ts'
import type { ParameterName } from './options.ts'
import type { Settings } from './settings.ts'

/**
 * Converts the query parameters that select a page of a list to those of `rest`, with the defaults of the option
 * `pages`.
 * @throws MockError 400 for an invalid number, or what `pages.invalid` says
 */
export function toPageParams(given: GivenParams, settings: Settings): Params {
  const { parameters, pages } = settings
  const has = (name: ParameterName): boolean => given.own[name].length > 0
  const size = sizeOf(given, settings)
  const cursor = lastOf(given, 'cursor')
  if (cursor !== undefined) return [['_cursor', cursor], ...toParam('_limit', size ?? pages.size)]
  const isLimitOfRange = has('limit') && parameters.perPage.length > 0 && !has('perPage')
  const isRange = has('start') || has('end') || isLimitOfRange
  if (has('page') || has('perPage') || (pages.always && !isRange)) {
    return [['_page', String(pageOf(given, settings))], ...toParam('_limit', size ?? pages.size)]
  }
  const start = indexOf('start', given, settings)
  const end = indexOf('end', given, settings)
  const isOpen = end === undefined && size === undefined
  const isSized = pages.always || parameters.page.length > 0
  return [
    ...toParam('_start', start),
    ...toParam('_end', end),
    ...toParam('_limit', isOpen && isRange && isSized ? pages.size : size),
  ]
}

function toParam(name: string, value: number | undefined): Params {
  return value === undefined ? [] : [[name, String(value)]]
}

/** Returns the number of the page, from 1. */
function pageOf(given: GivenParams, settings: Settings): number {
  const { first, invalid } = settings.pages
  const text = lastOf(given, 'page')
  if (text === undefined || (text === '' && invalid !== 'error')) return 1
  const number = toWhole(text)
  if (number !== undefined && number >= first) return number - first + 1
  if (invalid === 'first') return 1
  if (invalid === 'missing') throw unknownPage(text)
  throw wrongNumber(wireName(given, 'page', settings), first)
}

/** Returns the number of records that a request wants, up to the maximum. */
function sizeOf(given: GivenParams, settings: Settings): number | undefined {
  const { max = Infinity, invalid } = settings.pages
  const parameter = given.own.perPage.length > 0 ? 'perPage' : 'limit'
  const text = lastOf(given, parameter)
  if (text === undefined) return undefined
  const number = toWhole(text)
  if (number !== undefined && number > 0) return Math.min(number, max)
  if (invalid !== 'error') return undefined
  throw wrongNumber(wireName(given, parameter, settings), 1)
}

function indexOf(
  parameter: 'start' | 'end',
  given: GivenParams,
  settings: Settings,
): number | undefined {
  const text = lastOf(given, parameter)
  const number = text === undefined ? undefined : toWhole(text)
  if (text === undefined || number !== undefined) return number
  if (settings.pages.invalid !== 'error') return undefined
  throw wrongNumber(wireName(given, parameter, settings), 0)
}

function toWhole(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}

function wrongNumber(name: string, least: number): MockError {
  return wrongParameter(name, `has to be a whole number of at least ${least}`)
}

/** Creates the error 404 for a page that does not exist. */
export function unknownPage(page: string | number): MockError {
  return new MockError(`Failed to find page "${page}". Please request a page that exists.`, {
    status: 404,
    code: 'PAGE_UNKNOWN',
  })
}
