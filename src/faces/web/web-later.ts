/** What a page loads with the first body, stream or message to another server. */
export { send } from './send.ts'
export { readBytes, readForm, readText } from './body.ts'
export { toStream } from './stream.ts'
