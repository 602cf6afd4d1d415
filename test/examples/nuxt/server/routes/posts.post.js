export default defineEventHandler(async (event) => {
  const { title } = await readBody(event)
  await $fetch('https://api.example.com/posts', { method: 'POST', body: { title } })
  return sendRedirect(event, '/', 303)
})
