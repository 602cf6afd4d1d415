export function List({ posts }) {
  return (
    <ul>
      {posts.map(({ id, title, createdAt }) => (
        <li key={id}>{`${title} ${createdAt.slice(0, 10)}`}</li>
      ))}
    </ul>
  )
}
