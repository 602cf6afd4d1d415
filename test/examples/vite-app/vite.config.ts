import { fixtura } from 'fixtura/vite'
import { defineConfig } from 'vite'

// `vite` answers in the page, `vite --mode server` from the dev server.
export default defineConfig(({ mode }) => ({
  plugins: [fixtura({ base: '/api', mode: mode === 'server' ? 'server' : 'page' })],
}))
