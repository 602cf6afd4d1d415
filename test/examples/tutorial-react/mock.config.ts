import { defineConfig } from 'fixtura'
import { delay, sessions } from 'fixtura/behaviours'

export default defineConfig({
  fixtures: 'fixtures',
  base: '/api',
  use: process.env.TEST ? [sessions()] : [delay('200-800')],
})
