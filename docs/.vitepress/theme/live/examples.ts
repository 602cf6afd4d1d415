/** The contents of the playground, which the hash of a shared URL has whole. */
export interface PlaygroundState {
  /** The texts of the fixtures by the name of the file, without `.json`. */
  files: Record<string, string>
  /** The names of the behaviours that are switched on. */
  use: string[]
  dialect: string
  request: { method: string; path: string; body: string; headers: string }
}

/** A start for the playground, with requests to try. */
export interface Example extends PlaygroundState {
  name: string
  requests: string[]
}

const get = (path: string): PlaygroundState['request'] => ({
  method: 'GET',
  path,
  body: '',
  headers: '',
})

/** The examples of the playground. */
export const examples: [Example, ...Example[]] = [
  {
    name: 'Blog',
    files: {
      posts: `[
  { "id": 1, "title": "Hello", "status": "published", "views": 12, "userId": 1 },
  { "id": 2, "title": "World", "status": "draft", "views": 7, "userId": 2 },
  { "id": 3, "title": "Once more", "status": "published", "views": 31, "userId": 1 }
]`,
      comments: `[
  { "id": 1, "text": "Nice to read.", "postId": 1 },
  { "id": 2, "text": "When is the next one?", "postId": 1 },
  { "id": 3, "text": "Thanks!", "postId": 3 }
]`,
      users: `[
  { "id": 1, "name": "Ada", "email": "ada@example.org", "password": "secret" },
  { "id": 2, "name": "Grace", "email": "grace@example.org", "password": "secret" }
]`,
    },
    use: [],
    dialect: 'rest',
    request: get('/posts?_embed=comments,user'),
    requests: [
      'GET /posts?_embed=comments,user',
      'GET /posts?views:gt=10&_sort=-views',
      'GET /posts?_page=1&_limit=2',
      'GET /posts/1/comments',
      'POST /posts {"title":"New","userId":2}',
      'PATCH /posts/2 {"status":"published"}',
      'DELETE /comments/3',
      'GET /post',
    ],
  },
  {
    name: 'Shop',
    files: {
      products: `[
  { "id": "tea", "name": "Green tea", "price": { "amount": 8.5, "currency": "EUR" }, "tags": ["new", "organic"] },
  { "id": "cup", "name": "Cup", "price": { "amount": 12, "currency": "EUR" }, "tags": [] }
]`,
      orders: `[
  { "id": 1, "productId": "tea", "quantity": 2, "status": "paid" },
  { "id": 2, "productId": "cup", "quantity": 1, "status": "open" }
]`,
      cart: `{ "items": [{ "productId": "tea", "quantity": 1 }] }`,
      users: `[
  { "id": 1, "name": "Ada", "email": "ada@example.org", "password": "secret" }
]`,
    },
    use: ['fields'],
    dialect: 'rest',
    request: get('/orders?_embed=product'),
    requests: [
      'GET /orders?_embed=product',
      'GET /products?price.amount:lt=10',
      'GET /products?tags=organic',
      'PUT /cart {"items":[]}',
      'POST /orders {"productId":"cup","quantity":3}',
      'GET /products?q=cup',
    ],
  },
  {
    name: 'Empty',
    files: { todos: '[]' },
    use: [],
    dialect: 'rest',
    request: { method: 'POST', path: '/todos', body: '{ "title": "Try it" }', headers: '' },
    requests: ['POST /todos {"title":"Try it"}', 'GET /todos'],
  },
]
