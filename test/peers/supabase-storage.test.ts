import { createClient } from '@supabase/supabase-js'
import { setupServer } from 'msw/node'
import { type HttpRequest, Upload } from 'tus-js-client'
import { expect, it, onTestFinished } from 'vitest'

import { auth } from '../../src/behaviours.ts'
import { supabase } from '../../src/dialects.ts'
import { createManualClock, createMock, type MockOptions } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'

// Node 20 has no WebSocket of its own, without which no client is created.
const realtime = { transport: function socket() {} as never }
const options = { realtime, auth: { persistSession: false, autoRefreshToken: false } }

const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10])

function createBackend(config: Partial<MockOptions<Record<string, unknown>>> = {}) {
  const fixtures = {
    users: [{ id: 'ada', email: 'ada@example.org', password: 'secret' }],
    'storage/buckets': [
      { id: 'avatars', name: 'avatars', public: true },
      { id: 'letters', name: 'letters', public: false },
    ],
    'storage/objects': [
      {
        id: 'o1',
        bucket_id: 'avatars',
        name: 'team/ada.svg',
        file: 'data:image/svg+xml;base64,PHN2Zy8+',
      },
    ],
  }
  const clock = createManualClock(Date.now())
  return createMock({ fixtures, clock, seed: 1, dialect: supabase(), ...config })
}

async function open(config: Partial<MockOptions<Record<string, unknown>>> = {}) {
  const mock = createBackend(config)
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  return { mock, url: server.url, client: createClient(server.url, 'any', options) }
}

it('uploads, downloads, replaces and removes files', async () => {
  const { client } = await open()
  const letters = client.storage.from('letters')
  const sent = await letters.upload('a/hello.txt', new Blob(['hello'], { type: 'text/plain' }), {
    cacheControl: '60',
    metadata: { tone: 'warm' },
  })
  expect(sent.error).toBeNull()
  expect(sent.data).toMatchObject({ path: 'a/hello.txt', fullPath: 'letters/a/hello.txt' })
  const { data } = await letters.download('a/hello.txt')
  expect([await data?.text(), data?.type]).toEqual(['hello', 'text/plain'])
  const twice = await letters.upload('a/hello.txt', 'again')
  expect(twice.error).toMatchObject({ statusCode: '409', message: 'The resource already exists' })
  expect((await letters.upload('a/hello.txt', 'again', { upsert: true })).error).toBeNull()
  expect(await (await letters.download('a/hello.txt')).data?.text()).toBe('again')
  const { error } = await letters.update('a/hello.txt', png, { contentType: 'image/png' })
  expect(error).toBeNull()
  const stored = await letters.download('a/hello.txt')
  expect(new Uint8Array((await stored.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(png)
  expect((await letters.info('a/hello.txt')).data).toMatchObject({
    size: 8,
    contentType: 'image/png',
    cacheControl: 'max-age=3600',
    metadata: { tone: 'warm' },
  })
  expect((await letters.exists('a/hello.txt')).data).toBe(true)
  const removed = await letters.remove(['a/hello.txt', 'nope'])
  expect(removed.data?.map(({ name }) => name)).toEqual(['a/hello.txt'])
  expect((await letters.exists('a/hello.txt')).data).toBe(false)
  expect((await letters.download('a/hello.txt')).error).not.toBeNull()
})

it('lists folders before files, with search, order and pages', async () => {
  const { client } = await open()
  const letters = client.storage.from('letters')
  for (const name of ['b.txt', 'a.txt', 'sub/c.txt', 'sub/deep/d.txt', 'zoo/e.txt']) {
    await letters.upload(name, name)
  }
  const names = async (...asked: Parameters<typeof letters.list>) =>
    (await letters.list(...asked)).data?.map(({ name }) => name)
  expect(await names()).toEqual(['sub', 'zoo', 'a.txt', 'b.txt'])
  expect(await names('sub')).toEqual(['deep', 'c.txt'])
  expect(await names('sub/deep/')).toEqual(['d.txt'])
  expect(await names('', { limit: 2, offset: 1 })).toEqual(['zoo', 'a.txt'])
  expect(await names('', { search: 'B' })).toEqual(['b.txt'])
  const sortBy = { column: 'name', order: 'desc' }
  expect(await names('', { sortBy })).toEqual(['zoo', 'sub', 'b.txt', 'a.txt'])
  const { data } = await letters.list('sub')
  expect(data?.[0]).toMatchObject({ id: null, metadata: null })
  expect(data?.[1]).toMatchObject({ metadata: { size: 9, mimetype: 'text/plain;charset=utf-8' } })
})

it('moves and copies files, also between buckets', async () => {
  const { client } = await open()
  const letters = client.storage.from('letters')
  await letters.upload('a.txt', 'a')
  expect((await letters.move('a.txt', 'moved/a.txt')).error).toBeNull()
  expect((await letters.exists('a.txt')).data).toBe(false)
  const copied = await letters.copy('moved/a.txt', 'a.txt', { destinationBucket: 'avatars' })
  expect(copied.error).toBeNull()
  await letters.remove(['moved/a.txt'])
  const { data } = await client.storage.from('avatars').download('a.txt')
  expect(await data?.text()).toBe('a')
  expect((await letters.move('nope', 'x')).error).toMatchObject({ statusCode: '404' })
})

it('serves public files and files of fixtures, safely', async () => {
  const { client } = await open()
  const { publicUrl } = client.storage.from('avatars').getPublicUrl('team/ada.svg').data
  const response = await fetch(publicUrl)
  expect(await response.text()).toBe('<svg/>')
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('content-security-policy')).toBe('sandbox')
  const etag = response.headers.get('etag') ?? ''
  const again = await fetch(publicUrl, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  const part = await fetch(publicUrl, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'svg'])
  const download = await fetch(`${publicUrl}?download=me.svg`)
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="me.svg"')
  await client.storage.from('letters').upload('a.txt', 'a')
  const hidden = client.storage.from('letters').getPublicUrl('a.txt').data.publicUrl
  const refused = await fetch(hidden)
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      statusCode: '404',
      error: 'Bucket not found',
      message: 'Bucket not found',
      code: 'NoSuchBucket',
    },
  ])
})

it('signs addresses for downloads and uploads', async () => {
  const { client, mock } = await open()
  const letters = client.storage.from('letters')
  await letters.upload('a b.txt', 'a')
  const { data } = await letters.createSignedUrl('a b.txt', 60)
  expect(await (await fetch(data?.signedUrl ?? '')).text()).toBe('a')
  const many = await letters.createSignedUrls(['a b.txt', 'nope'], 60)
  expect(many.data?.map(({ error }) => error === null)).toEqual([true, false])
  expect((await fetch(`${data?.signedUrl}x`)).status).toBe(400)
  mock.clock.advance('61s')
  expect(await (await fetch(data?.signedUrl ?? '')).json()).toMatchObject({ error: 'InvalidJWT' })
  const upload = await letters.createSignedUploadUrl('b.txt')
  expect(upload.error).toBeNull()
  const { token = '' } = upload.data ?? {}
  expect((await letters.uploadToSignedUrl('b.txt', token, 'b')).error).toBeNull()
  expect(await (await letters.download('b.txt')).data?.text()).toBe('b')
  expect((await letters.uploadToSignedUrl('c.txt', token, 'c')).error).not.toBeNull()
})

it('creates, changes, empties and deletes buckets, whose limits hold', async () => {
  const { client } = await open()
  const { storage } = client
  const created = await storage.createBucket('pics', {
    public: true,
    fileSizeLimit: '1KB',
    allowedMimeTypes: ['image/*'],
  })
  expect(created.error).toBeNull()
  expect((await storage.createBucket('pics')).error).toMatchObject({ statusCode: '409' })
  const pics = storage.from('pics')
  expect((await pics.upload('a.txt', 'a')).error).toMatchObject({ statusCode: '415' })
  const large = new Blob([new Uint8Array(1025)], { type: 'image/png' })
  expect((await pics.upload('a.png', large)).error).toMatchObject({ statusCode: '413' })
  expect((await pics.upload('a.png', png, { contentType: 'image/png' })).error).toBeNull()
  expect((await storage.updateBucket('pics', { public: false })).error).toBeNull()
  expect((await storage.getBucket('pics')).data).toMatchObject({ public: false })
  expect((await storage.listBuckets()).data?.map(({ id }) => id)).toEqual([
    'avatars',
    'letters',
    'pics',
  ])
  expect((await storage.deleteBucket('pics')).error).toMatchObject({ statusCode: '409' })
  expect((await storage.emptyBucket('pics')).error).toBeNull()
  expect((await storage.deleteBucket('pics')).error).toBeNull()
  expect((await storage.getBucket('pics')).error).toMatchObject({ statusCode: '404' })
})

it('takes resumable uploads by tus', async () => {
  const { client, url } = await open()
  await client.storage.updateBucket('letters', { public: false, fileSizeLimit: 5000 })
  const content = 'abcdefghij'.repeat(350)
  const sent: string[] = []
  const send = (objectName: string, text = content, headers = {}) =>
    new Promise<string | null>((resolve, reject) => {
      const upload = new Upload(Buffer.from(text), {
        endpoint: `${url}/storage/v1/upload/resumable`,
        headers: { authorization: 'Bearer any', ...headers },
        uploadDataDuringCreation: true,
        chunkSize: 1000,
        retryDelays: null,
        metadata: {
          bucketName: 'letters',
          objectName,
          contentType: 'text/plain',
          cacheControl: '3600',
          metadata: JSON.stringify({ tone: 'warm' }),
        },
        onBeforeRequest: (request: HttpRequest) => void sent.push(request.getMethod()),
        onError: reject,
        onSuccess: () => resolve(upload.url),
      })
      upload.start()
    })
  expect(await send('a/long.txt')).toContain(`${url}/storage/v1/upload/resumable/`)
  expect(sent).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH'])
  const letters = client.storage.from('letters')
  expect(await (await letters.download('a/long.txt')).data?.text()).toBe(content)
  expect((await letters.info('a/long.txt')).data).toMatchObject({
    size: 3500,
    contentType: 'text/plain',
    cacheControl: 'max-age=3600',
    metadata: { tone: 'warm' },
  })
  await expect(send('a/long.txt')).rejects.toThrow('409')
  await send('a/long.txt', 'short', { 'x-upsert': 'true' })
  expect(await (await letters.download('a/long.txt')).data?.text()).toBe('short')
  await expect(send('b.txt', 'x'.repeat(5001))).rejects.toThrow('413')
  expect((await letters.list()).data?.map(({ name }) => name)).toEqual(['a'])
})

it('keeps the files of users apart with owners', async () => {
  const { client, url } = await open({
    use: [auth({ protect: [], owners: { 'storage/objects': 'owner_id' } })],
  })
  await client.auth.signInWithPassword({ email: 'ada@example.org', password: 'secret' })
  const letters = client.storage.from('letters')
  expect((await letters.upload('mine.txt', 'a')).error).toBeNull()
  const anonymous = createClient(url, 'any', options).storage.from('letters')
  expect((await anonymous.download('mine.txt')).error).not.toBeNull()
  expect((await anonymous.upload('x.txt', 'x')).error).not.toBeNull()
  const service = createClient(url, 'sb_secret_x', options).storage.from('letters')
  expect(await (await service.download('mine.txt')).data?.text()).toBe('a')
})

it('answers on MSW and on mock.fetch, and forgets with a reset', async () => {
  const mock = createBackend()
  const server = setupServer(...handlers(mock))
  server.listen(strict())
  onTestFinished(() => server.close())
  const overMsw = createClient('http://localhost:54321', 'any', options).storage.from('letters')
  expect((await overMsw.upload('a.txt', new Blob(['a']))).error).toBeNull()
  const fetchMock = (input: RequestInfo | URL, init?: RequestInit) =>
    mock.fetch(new Request(input, init))
  const direct = createClient('http://mock.test', 'any', {
    ...options,
    global: { fetch: fetchMock },
  })
  expect(await (await direct.storage.from('letters').download('a.txt')).data?.text()).toBe('a')
  const fork = mock.fork()
  mock.reset()
  expect((await overMsw.exists('a.txt')).data).toBe(false)
  const kept = await fork.fetch(new Request('http://mock.test/storage/v1/object/letters/a.txt'))
  expect(await kept.text()).toBe('a')
})
