import { PassThrough } from 'node:stream'

import { createReadableStreamFromReadable } from '@react-router/node'
import { redirect } from 'fixtura/ssr'
import { renderToPipeableStream } from 'react-dom/server'
import { ServerRouter } from 'react-router'

redirect({ 'https://api.example.com': process.env.MOCK_URL }, { production: true })

export default function handleRequest(request, status, headers, context) {
  return new Promise((resolve, reject) => {
    const app = <ServerRouter context={context} url={request.url} />
    const { pipe } = renderToPipeableStream(app, {
      onShellReady() {
        const body = new PassThrough()
        headers.set('Content-Type', 'text/html')
        resolve(new Response(createReadableStreamFromReadable(body), { status, headers }))
        pipe(body)
      },
      onShellError: reject,
    })
  })
}
