/** The HTML of the page at `/`, which the script fills. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fixtura</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__mock/home/style.css">
<script type="module" src="/__mock/home/app.js"></script>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; the API does not.</noscript></div>
</body>
</html>
`

/** The folder with the script and the style of the page; also right from the folder of the built command. */
export const homeFolder: URL = new URL('../studio/home/', import.meta.url)
