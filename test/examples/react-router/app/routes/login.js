const api = 'https://api.example.com/login'

/** Logs in, passes the cookie of the API on, and shows what the API redirects to. */
export async function loader() {
  const login = await fetch(api, { redirect: 'manual' })
  const body = await (await fetch(api)).text()
  const headers = new Headers()
  for (const cookie of login.headers.getSetCookie()) headers.append('Set-Cookie', cookie)
  return new Response(`${login.status} ${body}`, { headers })
}
