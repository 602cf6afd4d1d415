/** Returns the HTML of the studio's page. The script of the page fills its body. */
export function toPage(options: PageOptions): string {
  const { scripts, style, isLinked = false, hasReference = true, policy } = options
  const head = policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` : ''
  return `<!doctype html>
<html lang="en" data-linked="${isLinked}" data-reference="${hasReference}">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fixtura</title>
<link rel="icon" href="${favicon}">
<link rel="stylesheet" href="${style}">
${scripts.map((url) => `<script type="module" src="${url}"></script>`).join('\n')}
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; the API does not.</noscript></div>
</body>
</html>
`
}

/** The options that say how a page finds its files and its mock. */
export interface PageOptions {
  /** The URLs of the scripts, `start.js` and `app.js`, which imports the first. */
  scripts: readonly string[]
  /** The URL of the style. */
  style: string
  /** Whether the mock runs in a page of the same origin, and not behind the URLs of this page. */
  isLinked?: boolean
  /** Whether the mock has the page `/__mock/docs`. */
  hasReference?: boolean
  /** The Content Security Policy of a page that has no headers. */
  policy?: string
}

/** The URL of the icon of the tab: the mark of Fixtura. */
export const favicon: string = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4a3fd4"/><path d="M9 10h14M9 16h9M9 22h4" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><circle cx="21" cy="21" r="3" fill="#fff"/></svg>',
)}`
