import { defineConfig } from 'fixtura'
import { fields, sessions } from 'fixtura/behaviours'

export default defineConfig({
  base: '/api',
  use: [sessions({ limit: 1000 }), fields({ posts: { timestamps: true } })],
})
