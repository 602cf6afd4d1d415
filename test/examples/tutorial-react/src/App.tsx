import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { addPost, listPosts, type Post, removePost } from './api.ts'

export function App() {
  const [posts, setPosts] = useState<Post[]>()
  const [search, setSearch] = useState('')
  const [error, setError] = useState('')

  const load = useCallback(async () => {
    try {
      setPosts(await listPosts(search))
      setError('')
    } catch {
      setError('The posts cannot be loaded.')
    }
  }, [search])
  useEffect(() => void load(), [load])

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    await addPost(String(new FormData(form).get('title')))
    form.reset()
    await load()
  }

  async function remove(id: number) {
    await removePost(id)
    await load()
  }

  return (
    <main>
      <h1>Posts</h1>
      <label>
        Search <input value={search} onChange={({ target }) => setSearch(target.value)} />
      </label>
      {error && (
        <p role="alert">
          {error} <button onClick={() => void load()}>Try again</button>
        </p>
      )}
      {!posts && !error && <p>Loading</p>}
      {posts?.length === 0 && <p>No posts yet.</p>}
      <ul>
        {posts?.map(({ id, title, user }) => (
          <li key={id}>
            {title} by {user?.name ?? 'nobody'}
            <button onClick={() => void remove(id)}>Delete</button>
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Title <input name="title" required />
        </label>
        <button>Add</button>
      </form>
    </main>
  )
}
