import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import type { Backend } from './backend.ts'
import type { Style } from './yardstick.ts'

/**
 * The folder of https://github.com/Ovi/DummyJSON with its packages, and with a `start.mjs` that serves its middleware,
 * routes and data on `PORT` without its database of statistics; its code is no part of this repository.
 */
export const catalogFolder: string = process.env['CATALOG_APP'] ?? ''

async function serveCatalog(): Promise<Backend> {
  const child = spawn(process.execPath, ['start.mjs'], {
    cwd: catalogFolder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    const [origin] = /http:\/\/localhost:\d+/.exec(line) ?? []
    if (origin === undefined) continue
    return {
      origin,
      async close() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`The application in ${catalogFolder} has ended.`)
}

/** All pages of a list, as an endless list of a front end requests them. */
function pages(path: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `GET ${path}?limit=30&skip=${at * 30}`)
}

/** A public application with products, carts, posts and users, recorded without a look at the learner. */
export const catalog: Style = {
  name: 'DummyJSON',
  serve: serveCatalog,
  headers: { Authorization: '{login.accessToken}' },
  session: [
    'GET /auth/me',
    ['POST /auth/login', { username: 'emilys', password: 'wrong' }],
    ['POST /auth/login', { username: 'emilys', password: 'emilyspass' }, { as: 'login' }],
    'GET /auth/me',
    ...pages('/products', 7),
    'GET /products',
    'GET /products?limit=10&skip=10&sortBy=price&order=asc',
    'GET /products?sortBy=title&order=desc',
    'GET /products/search?q=phone',
    'GET /products/search?q=laptop&limit=5',
    'GET /products/category-list',
    'GET /products/category/smartphones',
    'GET /products/category/laptops',
    'GET /products/1',
    'GET /products/77',
    'GET /products/9999',
    ...pages('/users', 7),
    'GET /users/1',
    'GET /users/6',
    'GET /users/999',
    'GET /users/search?q=john',
    'GET /users/1/todos',
    'GET /users/6/posts',
    'GET /users/7/posts',
    'GET /users/33/carts',
    ...pages('/posts', 9),
    'GET /posts?limit=10&skip=20',
    'GET /posts?sortBy=views&order=desc&limit=10',
    'GET /posts/search?q=love',
    'GET /posts/1',
    'GET /posts/20',
    'GET /posts/1/comments',
    'GET /posts/20/comments',
    ...pages('/comments', 12),
    ...pages('/todos', 9),
    'GET /todos/5',
    'GET /carts',
    ...pages('/carts', 7),
    'GET /carts/1',
    'GET /recipes?limit=50',
    'GET /recipes/2',
    'GET /nothing',
    ['POST /products/add', { title: 'Pencil', price: 2.5 }],
    ['PUT /products/1', { title: 'New title' }],
    ['PATCH /posts/2', { title: 'New title' }],
    ['DELETE /products/3'],
    // The application answers writes without storing them.
    'GET /products/3',
    ['POST /todos/add', { todo: 'Test a mock', completed: false, userId: 5 }],
    ['POST /todos/add', { completed: false }],
    ['POST /posts/add', { title: 'A new post', userId: 5 }],
  ],
  questions: [
    'GET /products?limit=15',
    'GET /products?limit=15&skip=45',
    'GET /products?skip=180',
    'GET /products?limit=5&sortBy=price&order=desc',
    'GET /products?limit=8&skip=8&sortBy=rating&order=asc',
    'GET /products?sortBy=stock&order=desc&limit=10&skip=30',
    'GET /products/search?q=watch',
    'GET /products/search?q=red&limit=4&skip=2',
    'GET /products/search?q=nothing-at-all',
    'GET /products/category/fragrances',
    'GET /products/category/tablets',
    'GET /products/category/smartphones?limit=3',
    'GET /products/12',
    'GET /products/150',
    'GET /products/7777',
    'GET /users?limit=12&skip=24',
    'GET /users?sortBy=age&order=desc&limit=6',
    'GET /users/15',
    'GET /users/207',
    'GET /users/5/posts',
    'GET /users/9/posts',
    'GET /users/21/todos',
    'GET /users/search?q=smith',
    'GET /posts?limit=7&skip=14',
    'GET /posts?sortBy=title&order=asc&limit=5',
    'GET /posts?skip=245',
    'GET /posts/search?q=mother',
    'GET /posts/33',
    'GET /posts/3/comments',
    'GET /posts/100/comments',
    'GET /comments?limit=10&skip=50',
    'GET /comments/30',
    'GET /todos?limit=5&skip=100',
    'GET /todos/77',
    'GET /todos/9999',
    'GET /carts?limit=5&skip=10',
    'GET /carts/12',
    'GET /recipes?limit=6&skip=12',
    'GET /recipes/31',
    ['PATCH /products/8', { price: 3 }],
  ],
}
