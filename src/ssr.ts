// The entry `fixtura/ssr`: sends the requests of server-side rendering to a running mock.
export { currentSession, withSession } from './ssr/page-session.ts'
export { redirect, type RedirectOptions } from './ssr/redirect.ts'
