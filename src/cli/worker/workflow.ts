import { join } from 'node:path'
import { exists } from '../../loader/discover/discover.ts'

/**
 * Creates a GitHub workflow that deploys the worker from the main branch with the command `deploy`, and gives
 * each pull request a session of the mock with its own fixtures.
 */
export async function createWorkflow(folder: string, deploy: string): Promise<string> {
  return toWorkflow(deploy, await chooseInstallation(folder))
}

/** The way in which a workflow installs the packages of a project. */
interface Installation {
  command: string
  /** Further options of `actions/setup-node`. */
  setup: string
}

/** The installations by lock file. In CI, no command changes the lock file. */
const installations: readonly (readonly [file: string, installation: Installation])[] = [
  ['package-lock.json', { command: 'npm ci', setup: ', cache: npm' }],
  ['pnpm-lock.yaml', { command: 'corepack enable && pnpm install', setup: '' }],
  ['yarn.lock', { command: 'corepack enable && yarn install', setup: '' }],
  ['bun.lock', { command: 'npx bun install', setup: '' }],
]

async function chooseInstallation(folder: string): Promise<Installation> {
  for (const [file, installation] of installations) {
    if (await exists(join(folder, file))) return installation
  }
  return { command: 'npm install', setup: '' }
}

function toWorkflow(deploy: string, { command, setup }: Installation): string {
  return `# Deploys the mock from the main branch. Each pull request has a session of its own, pr-<number>, with the
# fixtures of its branch. A preview deployment sends the name of the session in the header X-Mock-Session.
#
# Secrets of the repository: CLOUDFLARE_API_TOKEN, and MOCK_TOKEN, the token of the control, which is also a
# secret of the worker ("npx wrangler secret put MOCK_TOKEN"). Variable: MOCK_URL, the address of the worker.
name: mock
on:
  push:
    branches: [main]
  pull_request:
    types: [opened, reopened, synchronize, closed]

jobs:
  deploy:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22${setup} }
      - run: ${command}
      - run: ${deploy}
        env:
          CLOUDFLARE_API_TOKEN: \${{ secrets.CLOUDFLARE_API_TOKEN }}

  session:
    # A pull request of a fork has no secrets.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    env:
      MOCK_URL: \${{ vars.MOCK_URL }}
      MOCK_TOKEN: \${{ secrets.MOCK_TOKEN }}
      SESSION: pr-\${{ github.event.number }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22${setup} }
      - name: Upload the fixtures of the pull request
        if: github.event.action != 'closed'
        run: |
          ${command}
          node --input-type=module <<'JS'
          import { loadMock } from 'fixtura/node'
          const { MOCK_URL, MOCK_TOKEN, SESSION } = process.env
          const { db } = await loadMock()
          for (const [name, resource] of Object.entries(db)) {
            const response = await fetch(new URL('/__mock/fixtures', MOCK_URL), {
              method: 'PUT',
              headers: { Authorization: \`Bearer \${MOCK_TOKEN}\`, 'X-Mock-Session': SESSION },
              body: JSON.stringify({ [name]: 'all' in resource ? resource.all() : resource.get() }),
            })
            if (!response.ok) throw new Error(\`\${name}: \${await response.text()}\`)
          }
          JS
      - name: Remove the session of a closed pull request
        if: github.event.action == 'closed'
        run: >-
          curl --fail -X DELETE "$MOCK_URL/__mock/sessions"
          -H "Authorization: Bearer $MOCK_TOKEN" -d "\\"$SESSION\\""
`
}
