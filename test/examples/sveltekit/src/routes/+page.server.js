const api = 'https://api.example.com/posts'

export async function load({ fetch }) {
  const response = await fetch(api)
  return response.ok ? { posts: await response.json() } : { posts: [], status: response.status }
}

export const actions = {
  async default({ fetch, request }) {
    const title = (await request.formData()).get('title')
    const headers = { 'Content-Type': 'application/json' }
    await fetch(api, { method: 'POST', headers, body: JSON.stringify({ title }) })
  },
}
