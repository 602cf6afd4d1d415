import vue from '@vitejs/plugin-vue'
import { fixtura } from 'fixtura/vite'
import { defineConfig } from 'vite'
import config from './mock.config.ts'

export default defineConfig({
  plugins: [vue(), fixtura({ mode: 'server', config })],
})
