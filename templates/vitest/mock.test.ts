import { expect } from 'vitest'
import { test } from './setup'

const url = 'http://localhost$BASE/$RESOURCE'

test('answers from the fixtures', async () => {
  expect((await fetch(url)).status).toBe(200)
})

test('fails once, in this test alone', async ({ mock }) => {
  mock.on('GET', '/$RESOURCE').fail(503, { times: 1 })
  expect((await fetch(url)).status).toBe(503)
  expect((await fetch(url)).status).toBe(200)
})
