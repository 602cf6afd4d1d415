import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import type { Backend } from './backend.ts'
import type { Style } from './yardstick.ts'

/**
 * The folder of https://github.com/cypress-io/cypress-realworld-app with its packages and `tsx`, an Express application
 * over a file; its code is no part of this repository.
 */
export const paymentsFolder: string = process.env['PAYMENTS_APP'] ?? ''

/** Serves the application in a process of its own, with the data that it is seeded with. */
async function servePayments(): Promise<Backend> {
  const data = join(paymentsFolder, 'data')
  copyFileSync(join(data, 'database-seed.json'), join(data, 'database.json'))
  const port = await findPort()
  const child = spawn(process.execPath, ['--import', 'tsx', 'backend/app.ts'], {
    cwd: paymentsFolder,
    env: { ...process.env, NODE_ENV: 'test', PORT: '3000', VITE_BACKEND_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('Backend server running')) continue
    return {
      origin: `http://localhost:${port}`,
      async close() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`The application in ${paymentsFolder} has ended.`)
}

/** Finds a free port: the application takes none by itself. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const account = { bankName: 'Harbour Bank', accountNumber: '123456789', routingNumber: '987654321' }
const payment = { transactionType: 'payment', amount: 2500, description: 'Lunch' }
const feed = 'GET /transactions/public'
const own = 'GET /transactions'

/** A public payment application, with the requests of its own front end. */
export const payments: Style = {
  name: 'cypress-realworld-app',
  serve: servePayments,
  headers: {},
  session: [
    'GET /checkAuth',
    ['POST /login', { username: 'Heath93', password: 'wrong' }],
    ['POST /login', { username: 'Heath93', password: 's3cret' }, { as: 'login' }],
    'GET /checkAuth',
    ['GET /users', undefined, { as: 'users' }],
    'GET /users/{login.user.id}',
    'GET /users/{users.results.1.id}',
    'GET /users/search?q=a',
    'GET /users/search?q=Dina20',
    'GET /users/search?q=nobody-at-all',
    'GET /users/profile/Dina20',
    'GET /contacts/Heath93',
    ['GET /bankAccounts', undefined, { as: 'accounts' }],
    'GET /bankAccounts/{accounts.results.0.id}',
    ['GET /notifications', undefined, { as: 'notes' }],
    [`${feed}?page=1&limit=10`, undefined, { as: 'feed' }],
    `${feed}?page=2&limit=10`,
    `${feed}?page=3&limit=10`,
    `${feed}?page=4&limit=10`,
    `${feed}?page=1&limit=10&amountMin=1000&amountMax=20000`,
    [`${own}?page=1&limit=10`, undefined, { as: 'own' }],
    `${own}?page=2&limit=10`,
    `${own}?page=3&limit=10`,
    `${own}?page=4&limit=10`,
    // The application gives at most 50 records a page.
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((page) => `${own}?page=${page}&limit=50`),
    `${own}?page=1&limit=5`,
    `${own}?page=1&limit=10&status=complete`,
    `${own}?page=1&limit=10&status=pending`,
    `${own}?page=2&limit=10&status=pending`,
    `${own}?page=1&limit=10&requestStatus=accepted`,
    `${own}?page=1&limit=10&amountMin=10000&amountMax=30000`,
    `${own}?page=1&limit=10&dateRangeStart=2023-06-01T00:00:00.000Z&dateRangeEnd=2023-12-31T23:59:59.000Z`,
    `${own}?page=1&limit=10&senderId={users.results.0.id}`,
    `${own}?page=1&limit=10&receiverId={users.results.1.id}`,
    `${own}/contacts?page=1&limit=10`,
    `${own}/contacts?page=2&limit=10`,
    `${own}/contacts?page=3&limit=10`,
    `${own}/{feed.results.0.id}`,
    `${own}/{feed.results.3.id}`,
    `${own}/{own.results.0.id}`,
    `${own}/{own.results.4.id}`,
    'GET /transactions/not_valid!',
    'GET /comments/{own.results.0.id}',
    'GET /comments/{feed.results.0.id}',
    'GET /likes/{feed.results.0.id}',
    ['POST /transactions', { ...payment, amount: 'much' }],
    [
      'POST /transactions',
      {
        ...payment,
        source: '{accounts.results.0.id}',
        senderId: '{login.user.id}',
        receiverId: '{users.results.0.id}',
      },
      { as: 'paid' },
    ],
    'GET /transactions/{paid.transaction.id}',
    [
      'POST /transactions',
      {
        ...payment,
        transactionType: 'request',
        senderId: '{login.user.id}',
        receiverId: '{users.results.1.id}',
      },
      { as: 'asked' },
    ],
    ['PATCH /transactions/{asked.transaction.id}', { requestStatus: 'rejected' }],
    ['PATCH /transactions/{asked.transaction.id}', { requestStatus: 'maybe' }],
    'GET /transactions/{asked.transaction.id}',
    ['POST /comments/{feed.results.3.id}', { content: 'Nice.' }],
    'GET /comments/{feed.results.3.id}',
    ['POST /likes/{feed.results.3.id}'],
    'GET /transactions/{feed.results.3.id}',
    ['POST /bankAccounts', { bankName: 1 }],
    ['POST /bankAccounts', account, { as: 'account' }],
    'GET /bankAccounts',
    ['DELETE /bankAccounts/{account.account.id}'],
    'GET /bankAccounts/{account.account.id}',
    ['POST /contacts', { contactUserId: '{users.results.3.id}' }, { as: 'contact' }],
    'GET /contacts/Heath93',
    ['DELETE /contacts/{contact.contact.id}'],
    ['PATCH /notifications/{notes.results.0.id}', { isRead: true }],
    'GET /notifications',
    ['PATCH /users/{login.user.id}', { defaultPrivacyLevel: 'contacts' }],
    ['PATCH /users/{login.user.id}', { nickname: 'Ed' }],
    'GET /checkAuth',
    [
      'POST /users',
      {
        firstName: 'New',
        lastName: 'User',
        username: 'newuser',
        password: 's3cret',
        email: 'new@example.com',
      },
    ],
    `${feed}?page=1&limit=10`,
  ],
  questions: [
    ['GET /users', undefined, { as: 'users' }],
    [`${own}?page=1&limit=10`, undefined, { as: 'own' }],
    [`${feed}?page=1&limit=20`, undefined, { as: 'feed' }],
    `${feed}?page=2&limit=20`,
    `${feed}?page=3&limit=5`,
    `${feed}?page=9&limit=5`,
    `${own}?page=3&limit=5`,
    `${own}?page=2&limit=20`,
    `${own}?page=4&limit=7`,
    `${own}?page=2&limit=5&status=complete`,
    `${own}?page=3&limit=10&status=pending`,
    `${own}?page=1&limit=10&status=incomplete`,
    `${own}?page=2&limit=5&status=pending`,
    `${own}?page=1&limit=10&requestStatus=pending`,
    `${own}?page=1&limit=10&requestStatus=rejected`,
    `${own}?page=1&limit=10&requestStatus=accepted&status=complete`,
    `${own}?page=1&limit=10&amountMin=30000&amountMax=50000`,
    `${own}?page=1&limit=10&amountMin=0&amountMax=9000`,
    `${own}?page=1&limit=10&dateRangeStart=2023-01-01T00:00:00.000Z&dateRangeEnd=2023-06-30T23:59:59.000Z`,
    `${own}?page=1&limit=10&senderId={users.results.1.id}`,
    `${own}?page=1&limit=10&receiverId={users.results.0.id}`,
    `${own}/contacts?page=1&limit=20`,
    `${own}/contacts?page=2&limit=5`,
    `${own}/{own.results.2.id}`,
    `${own}/{own.results.7.id}`,
    `${own}/{feed.results.6.id}`,
    `${own}/{feed.results.11.id}`,
    'GET /comments/{own.results.7.id}',
    'GET /likes/{own.results.7.id}',
    'GET /users/search?q=Parisian',
    'GET /users/search?q=Arvilla',
    'GET /users/profile/Heath93',
    'GET /users/{users.results.2.id}',
    ['POST /bankAccounts', { ...account, bankName: 'River Bank' }, { as: 'account' }],
    'GET /bankAccounts/{account.account.id}',
    ['POST /comments/{feed.results.6.id}', { content: 'Thanks.' }],
    'GET /comments/{feed.results.6.id}',
    ['POST /likes/{feed.results.11.id}'],
    'GET /transactions/{feed.results.11.id}',
    ['POST /transactions', { ...payment, amount: 'free' }],
  ],
}
