import type { Draft } from './exchange.ts'

/**
 * The forms in which a logged request can be copied to the clipboard, as functions that write its text. A secret,
 * which the log hides, is the variable `TOKEN`.
 */
export const copyForms: Readonly<Record<string, (draft: Draft, status: number) => string>> = {
  curl: toCurl,
  fetch: toFetch,
  test: toTest,
}

const hidden = '[redacted]'

function toCurl({ method, url, headers, body }: Draft): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${method}`]),
    quote(location.origin + url),
    // Otherwise, curl takes brackets in a URL for a range.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...headers.map(([name, value]) =>
      value.includes(hidden)
        ? `-H "${name}: ${value.replaceAll(hidden, '$TOKEN')}"`
        : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === '' ? [] : [`--data-raw ${quote(body)}`]),
  ]
  return parts.join(' ')
}

function toFetch(draft: Draft): string {
  return `const response = await fetch(${quoteJs(location.origin + draft.url)}${toInit(draft, '')})\nconst data = await response.json()\n`
}

/** A test for Vitest, which answers from the running mock. */
function toTest(draft: Draft, status: number): string {
  const { method, url } = draft
  return `import { expect, it } from 'vitest'

it(${quoteJs(`${method} ${url} responds with ${status}`)}, async () => {
  const response = await fetch(${quoteJs(location.origin + url)}${toInit(draft, '  ')})
  expect(response.status).toBe(${status})
})
`
}

/** The second argument of `fetch`; empty where a plain GET needs none. */
function toInit({ method, headers, body }: Draft, indent: string): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${quoteJs(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          'headers: {',
          ...headers.map(([name, value]) =>
            value.includes(hidden)
              ? `  ${quoteJs(name)}: \`${value.replaceAll(hidden, '${process.env.TOKEN}')}\`,`
              : `  ${quoteJs(name)}: ${quoteJs(value)},`,
          ),
          '},',
        ]),
    ...(body === '' ? [] : [`body: ${quoteJs(body)},`]),
  ]
  if (lines.length === 0) return ''
  return `, {\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`
}

function quoteJs(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}
