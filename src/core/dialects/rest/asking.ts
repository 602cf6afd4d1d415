/** What reads parameters and renders what they lead to, in one file, so that it is loaded as one. */
export { renderError } from './problem.ts'
export { renderPage } from './page.ts'
export { parseDependents, parseList, parseMember } from './parameters.ts'
export { parseQuery } from './query-body.ts'
