import { Form, useLoaderData } from 'react-router'

const api = 'https://api.example.com/posts'

export async function loader() {
  const response = await fetch(api)
  return response.ok ? { posts: await response.json() } : { posts: [], status: response.status }
}

export async function action({ request }) {
  const title = (await request.formData()).get('title')
  const headers = { 'Content-Type': 'application/json' }
  await fetch(api, { method: 'POST', headers, body: JSON.stringify({ title }) })
  return null
}

export default function Posts() {
  const { posts, status } = useLoaderData()
  return (
    <>
      {status && <p role="alert">{`The posts cannot be loaded: ${status}.`}</p>}
      <ul>
        {posts.map(({ id, title, createdAt }) => (
          <li key={id}>{`${title} ${createdAt.slice(0, 10)}`}</li>
        ))}
      </ul>
      <Form method="post">
        <label>
          Title <input name="title" />
        </label>
        <button>Add</button>
      </Form>
    </>
  )
}
