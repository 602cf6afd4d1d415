/** Whether a text is a date (`full-date` of RFC 3339 §5.6) that exists in the calendar: `2024-02-29`. */
export function isDate(text: string): boolean {
  return text.length === 10 && startsWithDate(text)
}

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a text is a time (`full-time` of RFC 3339 §5.6); a leap second has to be the last before midnight UTC. */
export function isTime(text: string): boolean {
  return isTimeAt(text, 0)
}

/** Whether a text is a date and a time (`date-time` of RFC 3339 §5.6), also with a space between them. */
export function isDateTime(text: string): boolean {
  return /^[t\s]$/i.test(text.charAt(10)) && startsWithDate(text) && isTimeAt(text, 11)
}

/** Whether a text is a duration (RFC 3339, appendix A). */
export function isDuration(text: string): boolean {
  return durationPattern.test(text)
}

const time = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`
const date = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`
const durationPattern = RegExp(String.raw`^P(?:\d+W|${date}(?:${time})?|${time})$`)

function startsWithDate(text: string): boolean {
  const year = 100 * numberAt(text, 0) + numberAt(text, 2)
  const month = numberAt(text, 5)
  const day = numberAt(text, 8)
  if (text[4] !== '-' || text[7] !== '-' || !(year >= 0) || !(day >= 1)) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && isLeap ? 29 : (days[month - 1] ?? 0))
}

/** Whether the rest of a text from an index on is a `full-time`. */
function isTimeAt(text: string, start: number): boolean {
  const hour = numberAt(text, start)
  const minute = numberAt(text, start + 3)
  const second = numberAt(text, start + 6)
  if (text[start + 2] !== ':' || text[start + 5] !== ':') return false
  if (!(hour <= 23) || !(minute <= 59) || !(second <= 60)) return false
  const offset = offsetAt(text, skipFraction(text, start + 8))
  if (second < 60 || Number.isNaN(offset)) return !Number.isNaN(offset)
  const day = 24 * 60
  return (hour * 60 + minute - offset + day) % day === day - 1
}

/** Returns the index behind a fraction of a second, if there is one at the index. */
function skipFraction(text: string, start: number): number {
  if (text[start] !== '.') return start
  let end = start + 1
  while (isDigit(text.charCodeAt(end))) end++
  // A point without digits is no fraction.
  return end === start + 1 ? start : end
}

/** Returns the minutes of the offset from UTC, `Z` or `+01:00`, that ends a text; NaN for any other end. */
function offsetAt(text: string, start: number): number {
  const sign = text[start]
  if (sign === 'Z' || sign === 'z') return text.length === start + 1 ? 0 : NaN
  if ((sign !== '+' && sign !== '-') || text.length !== start + 6) return NaN
  const hour = numberAt(text, start + 1)
  const minute = numberAt(text, start + 4)
  if (text[start + 3] !== ':' || !(hour <= 23) || !(minute <= 59)) return NaN
  return (hour * 60 + minute) * (sign === '-' ? -1 : 1)
}

/** Returns the number of two digits at an index; NaN for other characters. */
function numberAt(text: string, at: number): number {
  const tens = text.charCodeAt(at)
  const ones = text.charCodeAt(at + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - 48) * 10 + ones - 48 : NaN
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
