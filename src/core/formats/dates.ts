const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns whether a text is a full-date (RFC 3339 §5.6) that exists in the calendar: `2024-02-29`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && isLeap ? 29 : (days[month - 1] ?? 0)
  return day >= 1 && day <= last
}

/** A full-time (RFC 3339 §5.6); a leap second is one before midnight UTC. */
export function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (!parts) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const [offsetHour = 0, offsetMinute = 0] = parts.slice(5).map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1)
  const day = 24 * 60
  return second < 60 || (hour * 60 + minute - offset + day) % day === day - 1
}

/** A date-time (RFC 3339 §5.6), also with a space between date and time. */
export function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[t\s]/i.test(text.slice(10)) && isTime(text.slice(11))
}

/** A duration (RFC 3339, appendix A). */
export function isDuration(text: string): boolean {
  return durationPattern.test(text)
}

const time = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`
const date = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`
const durationPattern = RegExp(String.raw`^P(?:\d+W|${date}(?:${time})?|${time})$`)
