export interface Post {
  id: number
  title: string
  user: { name: string } | null
}

async function request(path: string, init?: RequestInit) {
  const response = await fetch(`/api${path}`, init)
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
  return response.json()
}

export function listPosts(search: string): Promise<Post[]> {
  return request(`/posts?_embed=user&_sort=-id&q=${encodeURIComponent(search)}`)
}

export function addPost(title: string) {
  const headers = { 'Content-Type': 'application/json' }
  return request('/posts', { method: 'POST', headers, body: JSON.stringify({ title, userId: 1 }) })
}

export function removePost(id: number) {
  return request(`/posts/${id}`, { method: 'DELETE' })
}
