import {
  checkOptions,
  isFlag,
  isHeaderValue,
  isListOf,
  isMapOf,
  isName,
  isOneOf,
  isText,
  isToken,
  wrong,
} from '../../errors/check.ts'
import { createLoopMark, type LoopMark } from '../../proxy/loop.ts'
import { isServerUrl } from '../../proxy/server-url.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'
import type { RewriteRules } from '../../url/express-pattern.ts'
import { parsePattern, type Pattern, splitPattern } from '../../url/pattern.ts'
import { createUrlRewrite } from '../rewrite.ts'

/** The options of `proxy`, the behaviour that passes requests on to a real server. */
export interface ProxyOptions {
  /** The URL of the real server: `https://api.example.com`. A path is put in front of the path of each request. */
  to: string
  /** Patterns of the requests to pass on: `/reports/*`, `GET orders`. @default all */
  only?: readonly string[]
  /** Patterns of the requests to leave to the mock. @default none */
  except?: readonly string[]
  /**
   * Which of these requests to pass on: `missing` for requests whose path names no fixture, `always` for all.
   * @default 'missing'
   */
  when?: 'missing' | 'always'
  /** The time limit for the beginning of a response. @default '30s' */
  timeout?: Duration
  /** Headers that are set on every request, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>
  /** Rules that rewrite the URLs of requests, with the base, as in `rewrite`: `{ '/api/*': '/$1' }`. */
  rewrite?: RewriteRules
  /**
   * Whether to learn fixtures from the responses and write them. Needs a mock that is loaded from files.
   * @default false
   */
  record?: boolean
  /** Whether to accept any certificate of the server. Needs a mock that is loaded from files. @default false */
  insecure?: boolean
}

/** The parsed options of `proxy`. */
export interface ProxySettings {
  /** The URL of the real server without a slash at the end. */
  upstream: string
  only: readonly Pattern[]
  except: readonly Pattern[]
  /** The routes that `only` adds to the route table. */
  routes: readonly { methods: readonly string[]; path: string }[]
  isAlways: boolean
  /** In milliseconds. */
  timeout: number
  headers: Readonly<Record<string, string>>
  rewrite: (url: string, method: string) => string
  isRecorded: boolean
  /** The mark by which the proxy recognizes its own requests. */
  loop: LoopMark
  isInsecure: boolean
}

const subject = 'the options of "proxy"'

/** Parses the options of `proxy`. @throws MockError when an option is wrong */
export function toProxySettings(options: ProxyOptions): ProxySettings {
  checkOptions(
    subject,
    options,
    {
      to: isServerUrl,
      only: isListOf(isText),
      except: isListOf(isText),
      when: isOneOf('missing', 'always'),
      timeout: isDuration,
      headers: isMapOf(isText),
      rewrite: isMapOf(isName),
      record: isFlag,
      insecure: isFlag,
    },
    ['to'],
  )
  const { to, only = [], except = [], when = 'missing', timeout = '30s' } = options
  const { headers = {}, rewrite = {}, record = false, insecure = false } = options
  for (const [name, value] of Object.entries(headers)) {
    if (isToken(name) && isHeaderValue(value)) continue
    throw wrong(subject, `"${name}" is not a header that can be sent. Please correct it.`)
  }
  return {
    upstream: to.replace(/\/+$/, ''),
    only: only.map(parsePattern),
    except: except.map(parsePattern),
    routes: only.map(toRoute),
    isAlways: when === 'always',
    timeout: toMilliseconds(timeout),
    headers,
    rewrite: createUrlRewrite(rewrite),
    isRecorded: record,
    loop: createLoopMark(),
    isInsecure: insecure,
  }
}

function toRoute(pattern: string): ProxySettings['routes'][number] {
  const [methods, path] = splitPattern(pattern)
  return { methods: methods.split(','), path: path.startsWith('/') ? path : `/${path}` }
}
