import { element } from './dom.ts'

/** What every request to the API carries, one a line: a login, a session, a version. */
export const headersField: HTMLTextAreaElement = element('textarea', {
  'aria-label': 'Headers of every request',
  placeholder: 'Headers of every request, as Authorization: Bearer …',
  rows: 1,
  spellcheck: 'false',
})

/** Asks the API, as any other client does. */
export async function send(path: string, method = 'GET', body?: string): Promise<Response> {
  const headers = new Headers()
  for (const line of headersField.value.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line) ?? []
    if (name !== '') headers.append(name.trim(), value)
  }
  if (body !== undefined && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/json')
  return fetch(path, { method, headers, ...(body !== undefined && { body }) })
}
