import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'

import { files } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { useStudio } from './studio-page.ts'

const open = useStudio()

/** An image that a browser can draw, of a width in pixels. */
function drawSvg(width: number): Buffer {
  const size = `width="${width}" height="8"`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><path d="M0 0h4v4z"/></svg>`)
}

describe('a field that holds files', () => {
  it('shows its image, which is uploaded, replaced, refused by its type, removed and brought back', async () => {
    const mock = createMock({
      base: '/api',
      fixtures: { users: [{ id: 1, name: 'Ada', avatar: null }] },
      use: [files({ users: { avatar: { types: ['image/*'], maxSize: '1KB' } } })],
    })
    const { page } = await open(mock, { place: '#/data/users?record=1' })
    const field = page
      .getByRole('complementary', { name: 'users 1' })
      .getByRole('group', { name: 'avatar' })
    const choose = async (button: string, name: string, mimeType: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await field.getByRole('button', { name: button }).click()
      await (await chooser).setFiles({ name, mimeType, buffer })
    }
    const widthOf = (name: string) =>
      field.getByRole('img', { name }).evaluate((image: HTMLImageElement) => image.naturalWidth)
    await choose('Upload…', 'Adä 1.svg', 'image/svg+xml', drawSvg(16))
    await page.getByText('Saved avatar.').waitFor()
    await expect.poll(() => widthOf('Adä 1.svg')).toBe(16)
    const stored = await mock.fetch('http://localhost/api/users/1/avatar')
    expect(await stored.text()).toBe(drawSvg(16).toString())

    await choose('Replace…', 'two.svg', 'image/svg+xml', drawSvg(32))
    await expect.poll(() => widthOf('two.svg')).toBe(32)
    await choose('Replace…', 'a.pdf', 'application/pdf', Buffer.from('%PDF'))
    await page.getByText('its type is "application/pdf". Please send image/*.').waitFor()
    await choose('Replace…', 'big.svg', 'image/svg+xml', Buffer.alloc(2000, ' '))
    await page.getByText('Failed to store the file "big.svg"').waitFor()
    expect(await widthOf('two.svg')).toBe(32)

    await field.getByRole('button', { name: 'Remove' }).click()
    await field.getByRole('button', { name: 'Upload…' }).waitFor()
    expect(mock.db.users.get(1)).toEqual({ id: 1, name: 'Ada', avatar: null })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => widthOf('two.svg')).toBe(32)
  })

  it('of a list adds files at its end, saves one that is no image, and removes one', async () => {
    const papers = ['https://example.com/a.png', 'data:text/plain;name=old.txt,old']
    const mock = createMock({
      fixtures: { users: [{ id: 1, papers }] },
      use: [files({ users: { papers: { list: true } } })],
    })
    const { page } = await open(mock, { place: '#/data/users?record=1' })
    const field = page.getByRole('group', { name: 'papers' })
    await field.getByRole('link', { name: 'Open https://example.com/a.png' }).waitFor()
    const chooser = page.waitForEvent('filechooser')
    await field.getByRole('button', { name: 'Add…' }).click()
    const buffer = Buffer.from('new')
    await (await chooser).setFiles({ name: 'new.txt', mimeType: 'text/plain', buffer })
    await field.getByRole('button', { name: 'Save new.txt' }).waitFor()
    const download = page.waitForEvent('download')
    await field.getByRole('button', { name: 'Save old.txt' }).click()
    expect((await download).suggestedFilename()).toBe('old.txt')
    await field.getByRole('button', { name: 'Remove' }).nth(1).click()
    await expect.poll(() => field.getByRole('button', { name: 'Save old.txt' }).count()).toBe(0)
    await field.getByRole('button', { name: 'Save new.txt' }).waitFor()
    expect(mock.db.users.get(1)?.papers).toHaveLength(2)
  })

  it('is filled in a new record, and has the names of its files in the grid', async () => {
    const mock = createMock({
      fixtures: { users: [{ id: 1, name: 'Ada', avatar: './img/ada.png', papers: [] }] },
      use: [files({ users: { avatar: { types: ['image/*'] }, papers: { list: true } } })],
    })
    const { page } = await open(mock, { place: '#/data/users?new=1' })
    await page.getByRole('gridcell', { name: 'ada.png', exact: true }).waitFor()
    const form = page.getByRole('complementary', { name: 'New record of users' })
    await form.getByLabel('name').fill('Bob')
    const image = { name: 'b&b.svg', mimeType: 'image/svg+xml', buffer: drawSvg(16) }
    const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await form.getByLabel('avatar').setInputFiles(image)
    await form.getByLabel('papers').setInputFiles([text, { ...text, name: 'ä b.txt' }])
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Added users 2.').waitFor()
    const get = async (path: string) => mock.fetch(`http://localhost/users/2/${path}`)
    const avatar = await get('avatar')
    expect(await avatar.text()).toBe(drawSvg(16).toString())
    expect(avatar.headers.get('content-disposition')).toContain('"b&b.svg"')
    expect(await (await get('papers/1')).text()).toBe('a')
    await page.getByRole('gridcell', { name: 'a.txt ä b.txt' }).waitFor()
  })
})
