import { create } from 'axios'

/** A post as the app knows it. */
export interface Post {
  id: number
  title: string
}

/** What the app asks of its API. */
export interface Api {
  list(): Promise<{ posts: Post[]; total: number }>
  add(title: string): Promise<Post>
  remove(id: number): Promise<void>
}

/** The API through `fetch`. */
export function createFetchApi(base: string): Api {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    // A header that no form could send makes a browser ask first, with a preflight.
    const headers = { Authorization: 'Bearer abc', 'Content-Type': 'application/json' }
    const response = await fetch(base + path, { ...init, headers })
    if (!response.ok) throw new Error(`${response.status}`)
    return response
  }
  return {
    async list() {
      const response = await ask('/posts')
      const posts = (await response.json()) as Post[]
      return { posts, total: Number(response.headers.get('X-Total-Count')) }
    },
    async add(title) {
      const response = await ask('/posts', { method: 'POST', body: JSON.stringify({ title }) })
      return (await response.json()) as Post
    },
    async remove(id) {
      await ask(`/posts/${id}`, { method: 'DELETE' })
    },
  }
}

/** The API through axios, which uses `XMLHttpRequest` in a page. */
export function createAxiosApi(baseURL: string): Api {
  const client = create({ baseURL, headers: { Authorization: 'Bearer abc' } })
  return {
    async list() {
      const { data, headers } = await client.get<Post[]>('/posts')
      return { posts: data, total: Number(headers['x-total-count']) }
    },
    async add(title) {
      const { data } = await client.post<Post>('/posts', { title })
      return data
    },
    async remove(id) {
      await client.delete(`/posts/${id}`)
    },
  }
}
