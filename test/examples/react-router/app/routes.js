import { index, route } from '@react-router/dev/routes'

export default [
  index('routes/posts.jsx'),
  route('client', 'routes/client.jsx'),
  route('login', 'routes/login.js'),
]
