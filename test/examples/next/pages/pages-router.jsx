import { List } from '../app/list'

const api = 'https://api.example.com/posts'

export async function getServerSideProps() {
  return { props: { posts: await (await fetch(api)).json() } }
}

export default function Posts({ posts }) {
  return <List posts={posts} />
}
