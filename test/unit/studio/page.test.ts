import { describe, expect, it } from 'vitest'

import { readHome } from '../../../src/faces/node/home.ts'

describe('the home page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['/__mock/home/style.css', 'text/css; charset=utf-8', /^\s*:root/],
  ])(
    'hands out %s as what it is, and lets it load nothing but its own',
    async (path, type, start) => {
      expect(await readHome(path)).toEqual({
        status: 200,
        headers: [
          ['Content-Type', type],
          ['Cache-Control', 'no-cache'],
          ['Vary', 'Accept'],
          [
            'Content-Security-Policy',
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
          ],
          ['X-Content-Type-Options', 'nosniff'],
          ['Referrer-Policy', 'no-referrer'],
        ],
        body: expect.stringMatching(start) as string,
      })
    },
  )

  it('has no other file', async () => {
    expect(await readHome('/__mock/home/page.ts')).toBeUndefined()
  })
})
