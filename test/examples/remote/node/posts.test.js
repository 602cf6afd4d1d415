import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connect } from 'fixtura/remote'

const url = 'http://localhost:3000'
const session = 'node'
const mock = connect(url, { session })

beforeEach(() => mock.reset())

test('an empty list', async () => {
  await mock.db.posts.clear()
  const response = await fetch(`${url}/api/posts`, { headers: { 'X-Mock-Session': session } })
  assert.deepEqual(await response.json(), [])
})
