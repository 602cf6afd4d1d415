/** Escapes control characters in a text of one line, so that data cannot send commands to the terminal. */
export function toPrintable(text: string): string {
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Escapes the control characters of a text of several lines, except line feeds and tabs. */
export function toPrintableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, toPrintable)
}

/** The control characters C0, DEL and C1 (ECMA-48), and the characters that change the direction of text. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Decodes letters of other scripts in a URL, as address bars do; other characters stay, so that it can be copied. */
export function toReadable(url: string): string {
  return url.replaceAll(/(?:%[89a-f][\da-f])+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded)
      return /^[\p{L}\p{M}\p{N}\p{S}]+$/u.test(text) ? text : encoded
    } catch {
      return encoded
    }
  })
}
