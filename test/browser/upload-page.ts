import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import UppyTus from '@uppy/tus'
import XHRUpload from '@uppy/xhr-upload'
import { Upload } from 'tus-js-client'

/** The clients of uploads in a page; each resolves to the URL of the file. */
export interface UploadClients {
  tus(api: string, content: string): Promise<string | null>
  /** Aborts after the first chunk, and resumes with another upload that finds the stored URL. */
  resumedTus(api: string, content: string): Promise<[url: string | null, firstProgress: number]>
  uppyTus(api: string, content: string): Promise<string | undefined>
  uppyForm(api: string, content: string): Promise<string | undefined>
  uppyS3(api: string, content: string, hasFields: boolean): Promise<string>
  image(url: string): Promise<number>
}

const toFile = (content: string): File =>
  new File([content], 'ä 1.txt', { type: 'text/plain', lastModified: 0 })

const metadata = { filename: 'ä 1.txt', filetype: 'text/plain' }

function upload(uppy: Uppy, content: string): ReturnType<Uppy['upload']> {
  uppy.addFile({ name: 'ä 1.txt', type: 'text/plain', data: toFile(content) })
  return uppy.upload()
}

interface Presigned {
  url: string
  file: string
  headers: Record<string, string>
  fields: Record<string, string>
}

const clients: UploadClients = {
  tus: (api, content) =>
    new Promise((resolve, reject) => {
      const one = new Upload(toFile(content), {
        endpoint: `${api}/uploads`,
        metadata,
        chunkSize: 1000,
        onError: reject,
        onSuccess: () => resolve(one.url),
      })
      one.start()
    }),

  resumedTus: (api, content) =>
    new Promise((resolve, reject) => {
      const options = { endpoint: `${api}/uploads`, metadata, chunkSize: 1000, onError: reject }
      const first = new Upload(toFile(content), {
        ...options,
        onChunkComplete: () => void first.abort().then(resume, reject),
      })
      const resume = async (): Promise<void> => {
        let progress: number | undefined
        const second = new Upload(toFile(content), {
          ...options,
          onChunkComplete: (_, accepted) => (progress ??= accepted),
          onSuccess: () => resolve([second.url, progress ?? 0]),
        })
        const [previous] = await second.findPreviousUploads()
        if (!previous) return reject(new Error('There is no previous upload.'))
        second.resumeFromPreviousUpload(previous)
        second.start()
      }
      first.start()
    }),

  async uppyTus(api, content) {
    const uppy = new Uppy().use(UppyTus, { endpoint: `${api}/uploads`, retryDelays: [] })
    const result = await upload(uppy, content)
    return result?.successful?.[0]?.uploadURL
  },

  async uppyForm(api, content) {
    const uppy = new Uppy().use(XHRUpload, { endpoint: `${api}/users/1/avatar` })
    const result = await upload(uppy, content)
    return result?.successful?.[0]?.uploadURL
  },

  async uppyS3(api, content, hasFields) {
    let file = ''
    const uppy = new Uppy().use(AwsS3, {
      shouldUseMultipart: false,
      async signRequest() {
        const response = await fetch(`${api}/uploads`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'ä 1.txt', type: 'text/plain' }),
        })
        const { url, headers, fields, ...given } = (await response.json()) as Presigned
        ;({ file } = given)
        return hasFields ? { url, fields } : { url, headers }
      },
    })
    const result = await upload(uppy, content)
    if (result?.failed?.length !== 0) throw new Error(String(result?.failed?.[0]?.error))
    return file
  },

  image: (url) =>
    new Promise((resolve, reject) => {
      const image = new Image()
      image.addEventListener('load', () => resolve(image.naturalWidth))
      image.addEventListener('error', () => reject(new Error(`Failed to load ${url}.`)))
      image.src = url
      document.body.append(image)
    }),
}

Object.assign(globalThis, { clients })
