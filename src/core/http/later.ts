/** What no plain read needs, in one file, so that it is loaded as one. */
export { createLinks } from '../store/links.ts'
export { parseParams } from '../params.ts'
export { checkAccept } from './accept.ts'
export { act } from './act.ts'
export { noteBody } from './body.ts'
export { answerPreflight } from './preflight.ts'
export { locate } from './serve-whole.ts'
export { settle } from './settle.ts'
