import { defineConfig } from '@playwright/test'

const { PORT = '4000', MOCK_PORT = '3000' } = process.env
const app = `http://localhost:${PORT}`
const mock = `http://localhost:${MOCK_PORT}/api`

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  use: { baseURL: app },
  webServer: [
    { command: `npx mock server --port ${MOCK_PORT}`, url: mock },
    { command: 'npm start', url: app, env: { PORT, MOCK_URL: mock, ORIGIN: app } },
  ],
})
