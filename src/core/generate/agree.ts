import { allowsNull, type FlatSchema } from '../json/flat-schema.ts'
import { define, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { toSlug } from '../text/slug.ts'
import { isAllowed } from './draw-scalar.ts'

/**
 * Lets the fields of a drawn record agree: dates are in order, an appointment ends within hours, an e-mail address has
 * the name of its person, and an open order is not paid. Changes its argument.
 */
export function agree(drawn: JsonRecord, schemaOf: (key: string) => FlatSchema | undefined): void {
  putInOrder(drawn)
  nameAddress(drawn, schemaOf)
  const status = scalarText(drawn['status'] ?? drawn['state'])
  for (const key of status === '' ? [] : Object.keys(drawn)) {
    const isEarly = unfinished.test(status) || (/^cancel/i.test(key) && !/cancel/i.test(status))
    const schema = isEarly && ends.test(key) ? schemaOf(key) : undefined
    if (schema && allowsNull(schema)) define(drawn, key, null)
  }
}

/** The states of records in which nothing is paid, shipped or closed. */
const unfinished =
  /^(?:backlog|booked|created|draft|new|open|overdue|pending|scheduled|todo|unpaid)$/i

const ends =
  /^(?:paid|cancell?ed|shipped|delivered|completed|closed|refunded|published|approved|finished|resolved)(?:_?(?:at|on|date))?$/i

const early =
  /^(?:creat|start|begin|from|open|order|regist|join|valid_?from|check_?in|admi|issu|sent|sign|book)/i
const late =
  /^(?:updat|modif|end|until|to$|to_|clos|ship|deliver|due|paid|expir|delet|cancel|finish|complet|last|valid_?(?:to|until)|check_?out|dischar)/i

/** Moves dates such as `updatedAt` behind `createdAt`, by at most 30 days, and `endsAt` by at most four hours. */
function putInOrder(drawn: JsonRecord): void {
  const isDate = (key: string): boolean => {
    const text = drawn[key]
    const isLong = typeof text === 'string' && (text.length === 10 || text.length === 20)
    return isLong && dates.test(text) && Number.isFinite(Date.parse(text))
  }
  const keys = Object.keys(drawn).filter(isDate)
  const starts = keys.filter((key) => early.test(key))
  for (const key of starts) {
    const time = scalarText(drawn[key])
    // People begin at a full or a quarter of an hour.
    const quarter = String(Math.floor(Number(time.slice(14, 16)) / 15) * 15).padStart(2, '0')
    if (/^(?:start|begin)/i.test(key) && time.length > 10)
      define(drawn, key, `${time.slice(0, 14)}${quarter}:00Z`)
  }
  if (starts.length === 0) return
  const start = Math.max(...starts.map((key) => Date.parse(scalarText(drawn[key]))))
  const minutes = Object.keys(drawn).find((key) => /^duration(?:_?min(?:ute)?s)?$/i.test(key))
  for (const key of keys.filter((one) => late.test(one))) {
    const text = scalarText(drawn[key])
    const gap = start - Date.parse(text)
    const isEnd =
      /^(?:end|finish)/i.test(key) &&
      text.length > 10 &&
      starts.some((one) => /^(?:start|begin)/i.test(one))
    const quarters = 1 + (Math.abs(gap) % 16)
    const given = minutes === undefined ? 0 : drawn[minutes]
    const isUsual = typeof given === 'number' && given > 0 && given <= 1440
    const length = (isUsual ? given : quarters * 15) * 60_000
    const isFar = /^due/i.test(key) && gap < -MONTH
    if (gap <= 0 && !isEnd && !isFar) continue
    const moved = new Date(start + (isEnd ? length : Math.abs(gap) % MONTH)).toISOString()
    // A year of five digits is no date (RFC 3339 §5.6).
    if (moved.length === 24) define(drawn, key, moved.replace('.000', '').slice(0, text.length))
  }
}

/** In milliseconds. */
const MONTH = 2_592_000_000

const dates = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/

/** Writes an e-mail address with the name of the record, and the number of the address as drawn. */
function nameAddress(drawn: JsonRecord, schemaOf: (key: string) => FlatSchema | undefined): void {
  const addresses = Object.keys(drawn).filter((key) => {
    const text = drawn[key]
    return typeof text === 'string' && text.endsWith('@example.com')
  })
  if (addresses.length === 0) return
  const textAt = (pattern: RegExp): string => {
    const key = Object.keys(drawn).find((one) => pattern.test(one))
    return key === undefined ? '' : scalarText(drawn[key])
  }
  const first = textAt(/^(?:first|given)_?name$/i)
  const name =
    first === ''
      ? textAt(/^(?:full_?)?name$/i)
      : `${first} ${textAt(/^(?:last|family|sur)_?name$/i)}`
  const words = toSlug(name).replaceAll('-', '.')
  for (const key of words.includes('.') ? addresses : []) {
    const [, digits] = /^[a-z]+(\d*)@example\.com$/.exec(scalarText(drawn[key])) ?? []
    const address = `${words}${digits ?? ''}@example.com`
    const limits = schemaOf(key)?.limits
    const isFree = limits && limits['enum'] === undefined && limits['const'] === undefined
    if (digits !== undefined && isFree && isAllowed(address, limits)) define(drawn, key, address)
  }
}
