import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'

// The page requests the API itself, and in tests the mock.
export const loader = () => ({ api: process.env.MOCK_URL ?? 'https://api.example.com' })

export default function Client() {
  const { api } = useLoaderData()
  const [posts, setPosts] = useState([])
  useEffect(() => {
    fetch(`${api}/posts`)
      .then((response) => response.json())
      .then(setPosts)
  }, [api])
  return (
    <ul>
      {posts.map(({ id, title, createdAt }) => (
        <li key={id}>{`${title} ${createdAt.slice(0, 10)}`}</li>
      ))}
    </ul>
  )
}
