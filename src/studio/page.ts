/** Returns the HTML of the studio's page. The script of the page fills its body. */
export function toPage(options: PageOptions): string {
  const { script, style, isLinked = false, hasReference = true, policy } = options
  const head = policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` : ''
  return `<!doctype html>
<html lang="en" data-linked="${isLinked}" data-reference="${hasReference}">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fixtura</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; the API does not.</noscript></div>
</body>
</html>
`
}

/** The options that say how a page finds its files and its mock. */
export interface PageOptions {
  /** The URLs of the script and of the style. */
  script: string
  style: string
  /** Whether the mock runs in a page of the same origin, and not behind the URLs of this page. */
  isLinked?: boolean
  /** Whether the mock has the page `/__mock/docs`. */
  hasReference?: boolean
  /** The Content Security Policy of a page that has no headers. */
  policy?: string
}
