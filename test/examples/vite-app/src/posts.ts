interface Post {
  id: number
  title: string
  user: { name: string } | null
}

const list = document.querySelector('ul')
const form = document.querySelector('form')

/** Shows the posts with their authors, newest first. */
export async function show(): Promise<void> {
  const response = await fetch('/api/posts?_sort=-id&_embed=user')
  const posts = (await response.json()) as Post[]
  list?.replaceChildren(...posts.map(toItem))
}

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const title = new FormData(form).get('title')
  form.reset()
  void send('POST', '/api/posts', { title, userId: 1 })
})

function toItem({ id, title, user }: Post): HTMLLIElement {
  const item = document.createElement('li')
  const path = `/api/posts/${id}`
  item.append(
    `${id}: ${title} by ${user?.name ?? 'nobody'}`,
    toButton('Shout', () => send('PATCH', path, { title: title.toUpperCase() })),
    toButton('Delete', () => send('DELETE', path)),
  )
  return item
}

function toButton(label: string, act: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.textContent = label
  button.addEventListener('click', () => void act())
  return button
}

async function send(method: string, path: string, body?: unknown): Promise<void> {
  await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await show()
}
