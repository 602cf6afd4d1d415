import { connection } from 'next/server'

import { Posts } from './posts'

export default async function Client() {
  await connection()
  // The page requests the API itself, and in tests the mock.
  return <Posts api={process.env.MOCK_URL ?? 'https://api.example.com'} />
}
