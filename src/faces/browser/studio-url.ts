import { homeFiles } from '../../studio/home-files.ts'
import { toPage } from '../../studio/page.ts'
import { trustedTypes } from '../web/home.ts'

/** The Content Security Policy of a studio whose files are blobs. */
const policy = `default-src 'none'; script-src blob:; style-src blob:; img-src data:; base-uri 'none'; form-action 'none'; ${trustedTypes}`

let created: string | undefined

/** The URL of the studio as a blob, for pages whose server does not have the studio. */
export function createStudioUrl(): string {
  return (created ??= toUrl(
    toPage({
      script: urlOf('app.js'),
      style: toUrl(homeFiles['style.css'] ?? '', 'text/css'),
      isLinked: true,
      hasReference: false,
      policy,
    }),
    'text/html',
  ))
}

const urls = new Map<string, string>()

/** The URL of a script, which names the scripts that it imports by their URLs: a blob has no relative URLs. */
function urlOf(name: string): string {
  const known = urls.get(name)
  if (known !== undefined) return known
  const text = (homeFiles[name] ?? '').replaceAll(
    /((?:from|import\()\s*)["'`]\.\/([\w.-]+\.js)["'`]/g,
    (_, start: string, imported: string) => `${start}"${urlOf(imported)}"`,
  )
  const url = toUrl(text, 'text/javascript')
  urls.set(name, url)
  return url
}

function toUrl(text: string, type: string): string {
  return URL.createObjectURL(new Blob([text], { type }))
}
