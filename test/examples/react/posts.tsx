import { type FormEvent, type ReactElement, useEffect, useState } from 'react'

import type { Api, Post } from './api.ts'

/** A list of posts that can be added to and deleted from. */
export function Posts({ api }: { api: Api }): ReactElement {
  const [posts, setPosts] = useState<Post[]>()
  const [total, setTotal] = useState(0)
  const [title, setTitle] = useState('')
  const [error, setError] = useState('')

  const load = async (): Promise<void> => {
    try {
      const listed = await api.list()
      setPosts(listed.posts)
      setTotal(listed.total)
      setError('')
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    }
  }
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    await api.add(title)
    setTitle('')
    await load()
  }
  const remove = async (id: number): Promise<void> => {
    await api.remove(id)
    await load()
  }

  useEffect(() => void load(), [api])

  if (error !== '') {
    return (
      <div role="alert">
        Something went wrong: {error} <button onClick={() => void load()}>Try again</button>
      </div>
    )
  }
  if (!posts) return <p>Loading</p>
  return (
    <main>
      <h1>{total} posts</h1>
      <ul>
        {posts.map((post) => (
          <li key={post.id}>
            {post.title}{' '}
            <button aria-label={`Delete ${post.title}`} onClick={() => void remove(post.id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Title <input value={title} onChange={(event) => setTitle(event.target.value)} />
        </label>
        <button>Add</button>
      </form>
    </main>
  )
}
