/** A request, as `curl` describes it. */
export interface CurlRequest {
  method: string
  /** The path with its query. */
  path: string
  headers: [name: string, value: string][]
  body?: string
}

/**
 * Reads a command line of `curl` with the options `-X`, `-H`, `-d`, `--json` and `-i`, and a URL of any host.
 * @throws Error for a line that is another command or has another option
 */
export function parseCurl(line: string): CurlRequest {
  const [command, ...words] = splitWords(line)
  if (command !== 'curl') throw new Error('Please begin the line with "curl".')
  const headers: [string, string][] = []
  let method: string | undefined
  let path: string | undefined
  let body: string | undefined
  while (words.length > 0) {
    const word = words.shift() ?? ''
    const takeValue = (): string => {
      const value = words.shift()
      if (value === undefined) throw new Error(`Please write a value after "${word}".`)
      return value
    }
    if (word === '-X' || word === '--request') method = takeValue().toUpperCase()
    else if (word === '-H' || word === '--header') headers.push(toHeader(takeValue()))
    else if (word === '--json') {
      body = takeValue()
      headers.push(['Content-Type', 'application/json'], ['Accept', 'application/json'])
    } else if (word === '-d' || word === '--data') {
      body = takeValue()
      if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
        headers.push(['Content-Type', 'application/x-www-form-urlencoded'])
    } else if (/^-\w*[is]\w*$/.test(word)) continue
    else if (word.startsWith('-')) throw new Error(`This page does not know the option "${word}".`)
    else path = toPath(word)
  }
  if (path === undefined) throw new Error('Please write a URL, such as localhost:3000/posts.')
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path,
    headers,
    ...(body !== undefined && { body }),
  }
}

/** Splits a line as a shell does, with single and double quotes. */
function splitWords(line: string): string[] {
  const words = line.trim().matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)
  return Array.from(words, ([word]) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
      (_, single?: string, double?: string, char?: string) =>
        single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? char ?? '',
    ),
  )
}

function toHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new Error(`Please write the header "${text}" as "Name: value".`)
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}

/** The path of a URL, whose scheme and host may be missing. */
function toPath(text: string): string {
  const path = text.replace(/^(?:https?:\/\/)?[^/?]*/, '')
  return path.startsWith('/') ? path : `/${path}`
}
