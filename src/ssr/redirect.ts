import {
  type Check,
  checkOptions,
  describeWrong,
  isCookieName,
  isFlag,
  isHeaderName,
  isObject,
  wrong,
  wrongValue,
} from '../core/errors/check.ts'
import { sessionCookie, sessionHeader } from '../core/text/session-name.ts'
import { observeServers } from './page-session.ts'
import { redirectFetch } from './redirect-fetch.ts'
import { state, type RedirectTarget } from './state.ts'

/**
 * Redirects the requests of the server-side code of an application to a running mock, with the session of the
 * page request that caused them. The keys are the URLs of the APIs, the values the URLs of the mock; a key with
 * an undefined or empty value has no effect. A second call replaces the first.
 * @returns a function that ends the redirection
 * @throws MockError when a URL or an option is wrong
 * @example redirect({ 'https://api.example.com': process.env.MOCK_URL })
 */
export function redirect(
  urls: Readonly<Record<string, string | undefined>>,
  options: RedirectOptions = {},
): () => void {
  if (!isObject[0](urls)) throw wrongValue('the URLs of redirect', urls, isObject[1])
  checkOptions('the options of redirect', options, optionChecks)
  const { production = false, header = sessionHeader, cookie = sessionCookie } = options
  const targets = toTargets(urls)
  state.redirection = undefined
  if (targets.length === 0) return () => {}
  if (process.env['NODE_ENV'] === 'production' && !production) {
    console.warn(
      'Fixtura does not redirect requests to the mock: NODE_ENV is "production". To test a production build, please call redirect(urls, { production: true }).',
    )
    return () => {}
  }
  const redirection = { targets, header: header.toLowerCase(), cookie }
  state.redirection = redirection
  if (!state.isInstalled) {
    state.isInstalled = true
    observeServers()
    redirectFetch()
  }
  return () => {
    if (state.redirection === redirection) state.redirection = undefined
  }
}

/** The options of {@link redirect}. */
export interface RedirectOptions {
  /** Whether requests are redirected if `NODE_ENV` is `production`, as in a test of the build. @default false */
  production?: boolean
  /** The header that names a session, as in the options of `sessions`. @default 'X-Mock-Session' */
  header?: string
  /** The cookie that names a session if the header is missing. @default 'mock-session' */
  cookie?: string
}

const optionChecks: Readonly<Record<keyof RedirectOptions, Check>> = {
  production: isFlag,
  header: isHeaderName,
  cookie: isCookieName,
}

/** Parses the URLs. The longest paths come first, so that the most specific URL applies. */
function toTargets(urls: Readonly<Record<string, string | undefined>>): RedirectTarget[] {
  const targets = Object.entries(urls).flatMap(([from, to]) =>
    to === undefined || to === '' ? [] : [{ from: toUrl(from, from), to: toUrl(from, to) }],
  )
  return targets.sort((a, b) => b.from.pathname.length - a.from.pathname.length)
}

function toUrl(name: string, text: unknown): URL {
  const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw wrong(
    'the URLs of redirect',
    describeWrong(name, text, 'a URL such as http://localhost:3000'),
  )
}
