import { expect, test } from '@playwright/test'
import { createManualClock, createMock } from 'fixtura'
import { auth } from 'fixtura/behaviours'
import { supabase } from 'fixtura/dialects'
import { serve } from 'fixtura/node'

const ada = { id: 'a0000000-0000-4000-8000-000000000001', email: 'ada@example.org' }

test('the proxy, server components and server actions share a session', async ({ page }) => {
  const mock = createMock({
    fixtures: {
      users: [{ ...ada, password: 'secret' }],
      notes: [
        { id: 1, text: 'of Ada', user_id: ada.id },
        { id: 2, text: 'of Bob', user_id: 'bob' },
      ],
    },
    dialect: supabase,
    // Clients refresh a session that ends so soon with each request, several with one token.
    clock: createManualClock(Date.now()),
    use: [auth({ users: 'users', owners: { notes: 'user_id' }, expires: '1m' })],
  })
  const server = await serve(mock, { port: 54321 })
  try {
    await page.goto('/notes')
    await expect(page.getByRole('status')).toHaveText('Nobody')
    await expect(page.getByRole('listitem')).toHaveCount(0)
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('status')).toHaveText(ada.email)
    await expect(page.getByRole('listitem')).toHaveText(['of Ada'])
    for (let visit = 1; visit <= 3; visit++) {
      await page.reload()
      await expect(page.getByRole('listitem')).toHaveText(['of Ada'])
    }
    expect(mock.log.count('POST /auth/v1/token')).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('status')).toHaveText('Nobody')
  } finally {
    await server.close()
  }
})
