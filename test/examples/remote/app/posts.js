const api = 'http://localhost:3000/api'
const list = document.querySelector('ul')
const alert = document.querySelector('[role=alert]')
const form = document.querySelector('form')

async function show() {
  const response = await fetch(`${api}/posts`)
  alert.textContent = response.ok ? '' : 'The posts cannot be loaded.'
  if (!response.ok) return
  const posts = await response.json()
  list.replaceChildren(
    ...posts.map(({ title }) =>
      Object.assign(document.createElement('li'), { textContent: title }),
    ),
  )
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ title: new FormData(form).get('title') })
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${api}/posts`, { method: 'POST', headers, body })
  await show()
})

await show()
