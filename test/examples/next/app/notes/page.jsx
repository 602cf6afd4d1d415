import { revalidatePath } from 'next/cache'

import { createClient } from '../../lib/supabase'

async function signIn(form) {
  'use server'
  const supabase = await createClient()
  await supabase.auth.signInWithPassword(Object.fromEntries(form))
  revalidatePath('/notes')
}

async function signOut() {
  'use server'
  const supabase = await createClient()
  await supabase.auth.signOut()
  revalidatePath('/notes')
}

export default async function Notes() {
  const supabase = await createClient()
  const { data } = await supabase.auth.getUser()
  const { data: notes } = await supabase.from('notes').select('id, text')
  return (
    <>
      <p role="status">{data.user?.email ?? 'Nobody'}</p>
      <ul>
        {notes?.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <form action={signIn}>
        <label>
          E-mail <input name="email" />
        </label>
        <label>
          Password <input name="password" type="password" />
        </label>
        <button>Sign in</button>
      </form>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
    </>
  )
}
