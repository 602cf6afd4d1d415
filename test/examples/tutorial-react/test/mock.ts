import { createMock } from 'fixtura'
import { handlers } from 'fixtura/msw'
import { setupServer } from 'msw/node'
import posts from '../fixtures/posts.json'
import users from '../fixtures/users.json'

export const mock = createMock({ fixtures: { posts, users }, base: '/api' })
export const server = setupServer(...handlers(mock))
