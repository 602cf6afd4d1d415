/** The HTML of the page at `/`, whose parts the script fills. */
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
<header><h1>Fixtura</h1><a id="docs" href="/__mock/docs">API reference</a><div id="switches" role="group" aria-label="Switches"></div></header>
<p id="notice" role="status"></p>
<nav aria-label="Resources"><ul id="resources"></ul></nav>
<main>
<section id="data" aria-label="Data"><noscript>This page needs JavaScript; the API does not.</noscript></section>
<section id="request" aria-label="Request"></section>
</main>
<section id="log" aria-label="Log"></section>
</body>
</html>
`

/** The style of the page: light or dark as the system prefers, from a width of 320 pixels. */
export const style = `
:root {
  color-scheme: light dark;
  --line: light-dark(#d8dce3, #343a46);
  --soft: light-dark(#f4f6f9, #1b1f27);
  --text: light-dark(#1c2230, #e4e8f0);
  --dim: light-dark(#5a6475, #9aa5b8);
  --accent: light-dark(#0b5cad, #7db8f5);
  --bad: light-dark(#b3261e, #ff8d85);
  --good: light-dark(#1a6b35, #79d495);
  font: 15px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body {
  margin: 0; color: var(--text); background: light-dark(#fff, #12151b);
  display: grid; grid-template: "head head" "note note" "nav main" 1fr "log log" / 15rem minmax(0, 1fr);
  min-height: 100vh;
}
header { grid-area: head; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.15rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
#notice { grid-area: note; margin: 0; padding: 0 1rem; color: var(--bad); }
#notice:not(:empty) { padding: .4rem 1rem; border-bottom: 1px solid var(--line); }
nav { grid-area: nav; padding: .75rem .5rem; border-right: 1px solid var(--line); background: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 3px; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; }
nav a { display: flex; justify-content: space-between; gap: 1rem; padding: .25rem .6rem; border-radius: 6px; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--line); }
nav a[aria-current] { background: var(--accent); color: light-dark(#fff, #10131a); }
nav a span { color: var(--dim); }
nav a[aria-current] span { color: inherit; }
main { grid-area: main; min-width: 0; padding: 1rem; display: grid; gap: 1.25rem; align-content: start; grid-template-columns: minmax(0, 1fr); }
#log { min-width: 0; grid-area: log; border-top: 1px solid var(--line); padding: .75rem 1rem; background: var(--soft); }
#switches, .bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.bar { margin-bottom: .6rem; }
.bar h2 { margin: 0; }
.scroll + .bar { margin-top: .6rem; }
button, input, select, textarea { font: inherit; color: inherit; background: light-dark(#fff, #1f2530); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem; max-width: 100%; }
button { cursor: pointer; }
button:hover:not([aria-disabled=true]) { border-color: var(--accent); }
button[aria-disabled=true] { opacity: .5; cursor: default; }
textarea { display: block; width: 100%; margin-bottom: .5rem; font: 13px/1.4 ui-monospace, monospace; }
textarea:not([rows]) { min-height: 5rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
a { color: var(--accent); }
.scroll { overflow: auto; max-height: 60vh; border: 1px solid var(--line); border-radius: 8px; }
#log .scroll { max-height: 16rem; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; }
thead th { position: sticky; top: 0; background: var(--soft); }
th button, td button { border: 0; background: none; padding: 0; }
th button { font-weight: 600; }
td button { color: var(--accent); text-decoration: underline; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.dim, td.null { color: var(--dim); }
td.number { font-variant-numeric: tabular-nums; }
[aria-busy=true] { opacity: .6; }
[aria-busy=true]:empty::before { content: "Loading…"; }
.bad { color: var(--bad); } .good { color: var(--good); }
pre { margin: .5rem 0 0; padding: .6rem; overflow: auto; max-height: 24rem; background: var(--soft); border: 1px solid var(--line); border-radius: 8px; font: 13px/1.4 ui-monospace, monospace; }
label { display: inline-flex; gap: .4rem; align-items: center; }
@media (max-width: 640px) {
  body { grid-template: "head" "note" "nav" "main" 1fr "log" / minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; position: static; max-height: 40vh; }
}
@media (prefers-reduced-motion: no-preference) { button { transition: border-color .1s; } }
`

/** The script of the page; the path is also right from the folder of the built command. */
export const script: URL = new URL('../studio/app.js', import.meta.url)
