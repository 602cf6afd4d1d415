import { MockError } from '../../errors/mock-error.ts'
import type { Paging, SplitParams } from '../contract/dialect.ts'
import { readNumber, toWhole } from '../rest/paging.ts'
import {
  type Change,
  type ParameterName,
  type ReadNumber,
  type Spelling,
} from '../rest/spelling.ts'
import type { PageOptions } from './options.ts'

/** The option `pages` with its defaults. */
export type PageSettings = Required<Omit<PageOptions, 'max' | 'all'>> &
  Pick<PageOptions, 'max' | 'all'>

/** Creates the reader of page numbers. @throws MockError 400 for an invalid number, or what `pages.invalid` says */
export function createReader(
  params: SplitParams,
  spelling: Spelling,
  pages: PageSettings,
): ReadNumber {
  const numbers = readPageNumbers(params, spelling, pages)
  return (parameter) => numbers[parameter]
}

function readPageNumbers(
  params: SplitParams,
  spelling: Spelling,
  pages: PageSettings,
): Partial<Record<ParameterName, number | undefined>> {
  const { parameters } = spelling
  const has = (name: ParameterName): boolean => params.known[name] !== undefined
  const size = sizeOf(params, pages)
  if (params.known.cursor || startsByCursor(params, pages)) return { limit: size ?? pages.size }
  const isLimitOfRange = has('limit') && parameters.perPage.length > 0 && !has('perPage')
  const isRange = has('start') || has('end') || isLimitOfRange
  if (has('page') || has('perPage') || (pages.always && !isRange)) {
    return { page: pageOf(params, pages), limit: size ?? pages.size }
  }
  const start = indexOf('start', params, pages)
  const end = indexOf('end', params, pages)
  const isOpen = end === undefined && size === undefined
  const isSized = pages.always || parameters.page.length > 0
  return { start, end, limit: isOpen && isRange && isSized ? pages.size : size }
}

/** Whether a request names no page and gets the first one by cursor. */
export function startsByCursor({ known }: SplitParams, { by, always }: PageSettings): boolean {
  const isOther = Boolean(known.cursor ?? known.page ?? known.start ?? known.end)
  const isSized = Boolean(known.limit ?? known.perPage)
  return by === 'cursor' && !isOther && (always || isSized)
}

/** Returns the parameters of the link to the page that starts at an index. */
export function toChanges(
  start: number,
  { style, size }: Paging,
  known: SplitParams['known'],
  { parameters }: Spelling,
  pages: PageSettings,
): Change[] {
  const isOmitted = start === 0 && pages.omitFirstPage
  const hasName = (one: ParameterName): boolean => (known[one] ?? parameters[one]).length > 0
  const isByOffset = pages.by === 'offset' && !known.page
  if (style === 'range' || isByOffset) {
    const sized = known['perPage'] ? 'perPage' : 'limit'
    const length: Change = known['end'] ? ['end', String(start + size)] : [sized, String(size)]
    return [['start', isOmitted ? null : String(start)], length]
  }
  const usual = known['perPage'] || !known['limit'] ? 'perPage' : 'limit'
  const sizeNames: ParameterName[] = [usual, 'perPage', 'limit']
  const sizeName = sizeNames.find(hasName) ?? 'limit'
  return [
    ['page', isOmitted ? null : String(start / (size || 1) + pages.first)],
    ...(pages.sizeInLinks ? [[sizeName, String(size)] as const] : []),
  ]
}

/** Returns the number of the page, from 1. */
function pageOf(params: SplitParams, { first, invalid }: PageSettings): number {
  const text = params.last('page')
  if (text === undefined || (text === '' && invalid !== 'error')) return 1
  const number = toWhole(text)
  if (number !== undefined && number >= first) return number - first + 1
  if (invalid === 'first') return 1
  if (invalid === 'missing') throw unknownPage(text)
  return readNumber(params, 'page', first) ?? 1
}

/** Returns the number of records that a request wants, up to the maximum. */
function sizeOf(
  params: SplitParams,
  { max = Infinity, all, invalid }: PageSettings,
): number | undefined {
  const parameter = params.known['perPage'] ? 'perPage' : 'limit'
  if (all !== undefined && params.last(parameter) === all) return Number.MAX_SAFE_INTEGER
  const number = toWhole(params.last(parameter) ?? '')
  if (number !== undefined && number > 0) return Math.min(number, max)
  return invalid === 'error' ? readNumber(params, parameter, 1) : undefined
}

function indexOf(
  parameter: 'start' | 'end',
  params: SplitParams,
  { invalid }: PageSettings,
): number | undefined {
  if (invalid === 'error') return readNumber(params, parameter, 0)
  return toWhole(params.last(parameter) ?? '')
}

/** Creates the error 404 for a page that does not exist. */
export function unknownPage(page: string | number): MockError {
  return new MockError(`Failed to find page "${page}". Please request a page that exists.`, {
    status: 404,
    code: 'PAGE_UNKNOWN',
  })
}
