import { revalidatePath } from 'next/cache'
import { connection } from 'next/server'

import { List } from './list'

const api = 'https://api.example.com/posts'

async function add(form) {
  'use server'
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: form.get('title') })
  await fetch(api, { method: 'POST', headers, body })
  revalidatePath('/')
}

export default async function Posts() {
  await connection()
  const response = await fetch(api)
  return (
    <>
      {response.ok ? (
        <List posts={await response.json()} />
      ) : (
        <p role="alert">{`The posts cannot be loaded: ${response.status}.`}</p>
      )}
      <form action={add}>
        <label>
          Title <input name="title" />
        </label>
        <button>Add</button>
      </form>
    </>
  )
}
