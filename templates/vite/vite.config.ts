import { fixtura } from 'fixtura/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [fixtura($OPTIONS)],
})
