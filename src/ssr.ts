export { currentSession, withSession } from './ssr/page-session.ts'
export { redirect, type RedirectOptions } from './ssr/redirect.ts'
