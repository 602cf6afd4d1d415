import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  use: { baseURL: 'http://localhost:5173' },
  webServer: [
    { command: 'npx mock server --port 3000', url: 'http://localhost:3000/rest/v1/' },
    { command: 'npx vite app --port 5173', url: 'http://localhost:5173' },
  ],
})
