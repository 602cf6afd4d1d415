import { homeFiles } from '../../studio/home-files.ts'
import { toPage } from '../../studio/page.ts'
import { trustedTypes } from '../web/home.ts'

/** A `blob:` URL of the studio, which a page can open although its server does not have it. */
export function createStudioUrl(): string {
  return (created ??= toUrl(
    toPage({
      scripts: [urlOf('start.js'), urlOf('app.js')],
      style: toUrl(homeFiles['style.css'] ?? '', 'text/css'),
      isLinked: true,
      hasReference: false,
      policy,
    }),
    'text/html',
  ))
}

/** The Content Security Policy of the studio, whose files are blobs. */
const policy = `default-src 'none'; script-src blob:; style-src blob:; img-src data:; base-uri 'none'; form-action 'none'; ${trustedTypes}`

let created: string | undefined

const urls = new Map<string, string>()

/** The URL of a script, which imports others by their URLs, as a blob has no relative URLs. */
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
