import { favicon } from './page.ts'

/** The HTML of the API reference at `/__mock/docs`, which Swagger UI fills. */
export const docsPage: string = toPage(
  `<link rel="stylesheet" href="/__mock/docs/swagger-ui.css">
<script defer src="/__mock/docs/swagger-ui-bundle.js"></script>
<script defer type="module" src="/__mock/docs/docs.js"></script>`,
  `<div id="reference"><noscript>This page needs JavaScript; the <a href="/__mock/openapi.json">OpenAPI document</a> does not.</noscript></div>`,
)

/** The HTML in place of the API reference, where the package that shows it is missing. */
export const missingPage: string = toPage(
  '<script defer type="module" src="/__mock/docs/docs.js"></script>',
  `<main class="missing">
<h1>API reference</h1>
<p>The API reference needs Swagger UI, version 5. Please install the package in the project, and reload this page:</p>
<pre>npm install --save-dev swagger-ui-dist</pre>
<p>Without the package, there is the OpenAPI document: <a href="/__mock/openapi.json">openapi.json</a>, <a href="/__mock/openapi.yaml">openapi.yaml</a>.</p>
</main>`,
)

/** The style of the pages, beside that of Swagger UI. */
export const docsStyle = `
:root { font: 13px/1.5 system-ui, sans-serif; color: #1a1d26; background: #fff; }
:root.dark-mode { color-scheme: dark; color: #e6e8ee; background: #111318; }
body { margin: 0; }
body > nav { display: flex; gap: 16px; padding: 14px 20px; border-bottom: 1px solid #8883; }
body > nav a { color: inherit; text-decoration: none; }
body > nav a:first-child { font-size: 15px; font-weight: 600; }
.missing { max-width: 45rem; padding: 1.25rem; }
.missing a { color: inherit; }
.missing pre { padding: .6rem; overflow: auto; border: 1px solid #8883; border-radius: 8px; }
`

function toPage(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Fixtura</title>
<link rel="icon" href="${favicon}">
<link rel="stylesheet" href="/__mock/docs/style.css">
${head}
</head>
<body>
<nav><a href="/">Fixtura</a> <a href="/#/data">Data</a> <a href="/#/requests">Requests</a> <a href="/#/send">Send a request</a></nav>
${body}
</body>
</html>
`
}

/** The script of the API reference; the path is also right from the folder of the built command. */
export const docsScript: URL = new URL('../studio/docs.js', import.meta.url)
