const api = 'https://api.example.com/login'

/** Logs in, passes the cookie of the API on, and shows what the API redirects to. */
export default defineEventHandler(async (event) => {
  const login = await $fetch.raw(api, { redirect: 'manual', ignoreResponseError: true })
  const body = await $fetch(api, { responseType: 'text' })
  for (const cookie of login.headers.getSetCookie())
    appendResponseHeader(event, 'Set-Cookie', cookie)
  return `${login.status} ${body}`
})
