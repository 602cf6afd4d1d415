import { element } from './dom.ts'

/** The headers to send with every request to the API, one a line: a login, a session, a version. */
export const headersField: HTMLTextAreaElement = element('textarea', {
  'aria-label': 'Headers of every request',
  placeholder: 'Headers of every request, such as Authorization: Bearer …',
  rows: 1,
  spellcheck: 'false',
})

/** Sends a request to the API with the headers of the field. */
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
