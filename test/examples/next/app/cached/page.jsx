import { Suspense } from 'react'
import { connection } from 'next/server'

import { List } from '../list'

/** A part of the page that is streamed, and whose request is in the cache of Next. */
async function Cached() {
  await connection()
  const options = { cache: 'force-cache', next: { revalidate: 3600, tags: ['posts'] } }
  const response = await fetch('https://api.example.com/posts', options)
  return <List posts={await response.json()} />
}

export default function Page() {
  return (
    <Suspense fallback={<p>Loading</p>}>
      <Cached />
    </Suspense>
  )
}
