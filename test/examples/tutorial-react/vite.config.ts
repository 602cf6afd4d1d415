import react from '@vitejs/plugin-react'
import { fixtura } from 'fixtura/vite'
import { defineConfig } from 'vite'
import config from './mock.config.ts'

export default defineConfig({
  plugins: [react(), fixtura({ mode: 'server', config })],
})
