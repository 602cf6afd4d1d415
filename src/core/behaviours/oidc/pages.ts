import type { HeaderList, MockResponse } from '../../http/contract/messages.ts'
import type { Params } from '../../url/params.ts'
import type { Profile } from './claims.ts'

/** The most users that the login page lists; beyond it, the page has a search. */
export const listedUsers = 20

/** The page on which a user is chosen: it works without scripts. */
export function loginPage(facts: LoginFacts): string {
  const { client, users, total, token, action, search, outcomes } = facts
  const rows = users.map(
    (user) => `<li><button class="user" name="user" value="${escape(user.id)}">
${avatar(user.name, user.picture)}<span><b>${escape(user.name)}</b><small>${escape(user.email ?? user.username ?? `id ${user.id}`)}</small></span>
</button></li>`,
  )
  const shown = users.length < total ? `<p class="note">${users.length} of ${total} users</p>` : ''
  const buttons = outcomes.map(
    ([value, [text = '']]) => `<button name="outcome" value="${value}">${text}</button>`,
  )
  const others = `<fieldset><legend>What can go wrong</legend>\n${buttons.join('\n')}\n</fieldset>`
  return page(
    'Log in',
    `<h1>Log in</h1>
<p><b>${escape(client)}</b> asks who you are. Choose a user of the mock.</p>
${search ? searchForm(search) : ''}
<form method="post" action="${escape(action)}">
<input type="hidden" name="login_token" value="${escape(token)}">
<ul>${rows.join('\n')}</ul>
${users.length === 0 ? '<p class="note">No user matches. Users come from the data of the mock: add some to their fixture, or sign up.</p>' : shown}
${buttons.length === 0 ? '' : others}
</form>`,
  )
}

/** The facts that the login page shows. */
export interface LoginFacts {
  client: string
  users: readonly (Profile & { id: string })[]
  /** The number of users that match the search. */
  total: number
  /** The one-time token of the form. */
  token: string
  action: string
  /** The form of the search, which repeats the parameters of the request. */
  search: { action: string; params: Params; query: string } | undefined
  /** The buttons for what can go wrong: values, and texts with their errors. */
  outcomes: readonly (readonly [value: string, texts: readonly string[]])[]
}

function searchForm({ action, params, query }: NonNullable<LoginFacts['search']>): string {
  const hidden = params
    .filter(([name]) => name !== searchName)
    .map(([name, value]) => hiddenField(name, value))
  return `<form method="get" action="${escape(action)}" role="search">
${hidden.join('\n')}
<label for="search">Search users</label>
<div class="search"><input id="search" type="search" name="${searchName}" value="${escape(query)}" autocomplete="off"><button>Search</button></div>
</form>`
}

/** The parameter of the search on the login page. */
export const searchName = 'user_search'

/** A page with a title and a sentence. */
export function messagePage(title: string, text: string): string {
  return page(title, `<h1>${escape(title)}</h1>\n<p>${escape(text)}</p>`)
}

/** The page that asks for the code that a device shows (RFC 8628 §3.3). */
export function codePage(action: string, notice: string): string {
  return page(
    'Connect a device',
    `<h1>Connect a device</h1>
<p>${escape(notice)}</p>
<form method="get" action="${escape(action)}">
<label for="code">Code</label>
<div class="search"><input id="code" name="user_code" autocomplete="off" autocapitalize="characters" required><button>Continue</button></div>
</form>`,
  )
}

/** The page that sends the response to the client as a form (OAuth 2.0 Form Post Response Mode §2). */
export function formPostPage(
  action: string,
  values: Readonly<Record<string, string | undefined>>,
  nonce: string,
): string {
  const fields = Object.entries(values).map(([name, value = '']) => hiddenField(name, value))
  return page(
    'Logging in',
    `<form method="post" action="${escape(action)}">
${fields.join('\n')}
<button>Continue</button>
</form>
<script nonce="${nonce}">document.forms[0].submit()</script>`,
  )
}

/** The page that sends the response to the page that opened it or holds it in a frame (response mode `web_message`). */
export function webMessagePage(
  target: string,
  values: Readonly<Record<string, string | undefined>>,
  nonce: string,
): string {
  const message = { type: 'authorization_response', response: values }
  return scriptPage(
    `(window.opener || window.parent).postMessage(${toScript(message)}, ${toScript(target)})`,
    nonce,
  )
}

/** An empty page that runs a script. */
export function scriptPage(script: string, nonce: string): string {
  return `<!doctype html><html lang="en"><head><title>Logging in</title></head><body><script nonce="${nonce}">${script}</script></body></html>`
}

/** Writes a value as JavaScript that can stand in HTML. */
export function toScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}

/**
 * Answers with a page. The policy allows a script with the nonce alone, and only pages of `frames` hold it in
 * a frame. It names no `form-action`, which in Chromium would block the redirect after the form. The body is a stream,
 * as the log keeps no streams and pages contain one-time secrets.
 */
export function answerPage(
  status: number,
  html: string,
  { nonce, frames = "'none'", headers = [] }: PageOptions = {},
): MockResponse {
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${styleNonce}'`,
    `script-src ${nonce === undefined ? "'none'" : `'nonce-${nonce}'`}`,
    'img-src * data:',
    "connect-src 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ')
  async function* chunks(): AsyncGenerator<string> {
    yield html
  }
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policy],
      ['Referrer-Policy', 'same-origin'],
      ['X-Content-Type-Options', 'nosniff'],
      ...headers,
      ['Cache-Control', 'no-store'],
    ],
    body: chunks(),
  }
}

/** The nonce of a page's script, the pages that may hold it in a frame, and further headers. */
export interface PageOptions {
  nonce?: string
  frames?: string
  headers?: HeaderList
}

/** The nonce of pages without scripts, on which nothing that a request sends is markup. */
const styleNonce = 'fixtura'

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${styleNonce}">${styles}</style>
</head>
<body><main>
${content}
</main></body>
</html>
`
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`
}

/** The picture of a user, else the initials. */
function avatar(name: string, picture: string | undefined): string {
  if (picture !== undefined && /^(?:https?:|data:image\/|\/)/i.test(picture)) {
    return `<img src="${escape(picture)}" alt="" width="40" height="40" loading="lazy" referrerpolicy="no-referrer">`
  }
  const words = name.split(/[\s@._-]+/u).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word = '') => Array.from(word)[0] ?? '')
    .join('')
  return `<span class="initials" aria-hidden="true">${escape(initials.toUpperCase())}</span>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}

const styles = `
:root { color-scheme: light dark; --line: light-dark(#8a8f98, #6b7280); --soft: light-dark(#f3f4f6, #23272f); --muted: light-dark(#4b5563, #b6bcc8) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#e9ebef, #12151a); color: light-dark(#16191f, #eceef2) }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem; background: light-dark(#fff, #191d24); min-height: 100vh }
h1 { font-size: 1.5rem; margin: 0 0 .25rem }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .5rem }
button, input { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: .5rem; background: none; padding: .5rem .75rem; min-height: 2.75rem }
button { cursor: pointer }
button:hover { background: var(--soft) }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93b4ff); outline-offset: 1px }
.user { display: flex; gap: .75rem; align-items: center; width: 100%; text-align: left }
.user span:last-child { min-width: 0 }
.user b, .user small { display: block; overflow-wrap: anywhere }
small, .note, legend { color: var(--muted); font-size: .875rem }
img, .initials { width: 40px; height: 40px; border-radius: 50%; flex: none; object-fit: cover }
.initials { display: grid; place-items: center; background: light-dark(#1e3a8a, #c7d7ff); color: light-dark(#fff, #0b1533); font-weight: 600 }
.search { display: flex; gap: .5rem; margin: .25rem 0 1rem }
.search input { flex: 1; min-width: 0 }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0; padding: .75rem 0 0; display: flex; flex-wrap: wrap; gap: .5rem }
legend { padding: 0 .5rem 0 0 }
@media (min-width: 30rem) { main { margin: 6vh auto; min-height: 0; border-radius: .75rem; padding: 2rem } }
`
