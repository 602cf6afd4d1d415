import { createClient } from '@supabase/supabase-js'

const { VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY } = import.meta.env
const supabase = createClient(VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY)

const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const list = document.querySelector('ul')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const credentials = Object.fromEntries(new FormData(form))
  const { data, error } = await supabase.auth[event.submitter.name](credentials)
  status.textContent = error ? error.message : `Signed in as ${data.user.email}`
})

async function load() {
  const { data, error } = await supabase.from('todos').select('id, title').order('id')
  const lines = error ? [error.message] : data.map(({ title }) => title)
  list.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })),
  )
}

supabase.channel('todos').on('postgres_changes', { event: '*', schema: 'public' }, load).subscribe()
await load()
