import { bodyTooLarge } from '../../../core/http/resource/body.ts'
import type { FormField, FormPart } from '../../../core/http/contract/messages.ts'
import {
  delimiterOf,
  isUntouched,
  MAX_HEAD,
  parseHead,
  toFormField,
  wrongForm,
} from '../../web/multipart.ts'

/**
 * Parses a multipart form while it arrives. The files that `isStreamed` names are read as streams, in their order; the
 * other parts have at most `limit` bytes.
 * @throws MockError 400 for bytes that are no form, 413 beyond the limit
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  isStreamed: (name: string) => boolean,
  limit: number,
): AsyncGenerator<FormField | FormPart> {
  const delimiter = Buffer.from(delimiterOf(type))
  const reader = createReader(chunks)
  let left = limit
  try {
    await skip(reader.until(delimiter))
    while (!(await reader.startsWith('--'))) {
      const head = parseHead(await collect(reader.until(endOfHead), MAX_HEAD))
      const content = reader.until(delimiter)
      if (head.file && isStreamed(head.name)) {
        yield { field: head.name, name: head.file, type: head.type, bytes: content }
        // The part may not have been read to its end.
        await skip(content)
      } else {
        const bytes = await collect(content, left)
        left -= bytes.length
        const field = toFormField(head, bytes)
        if (!isUntouched(field)) yield field
      }
    }
  } finally {
    await reader.close()
  }
}

const endOfHead = Buffer.from('\r\n\r\n')

async function skip(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) void piece
}

/** Reads bytes up to a mark. */
function createReader(chunks: AsyncIterable<Uint8Array>): {
  startsWith(text: string): Promise<boolean>
  until(mark: Buffer): AsyncGenerator<Uint8Array>
  close(): Promise<unknown>
} {
  const source = chunks[Symbol.asyncIterator]()
  let buffer = Buffer.from('\r\n')

  async function readMore(): Promise<void> {
    const { done, value } = await source.next()
    if (done) throw wrongForm()
    buffer = Buffer.concat([buffer, value])
  }

  return {
    close: async () => source.return?.(),
    async startsWith(text) {
      while (buffer.length < text.length) await readMore()
      return buffer.subarray(0, text.length).toString('latin1') === text
    },
    async *until(mark) {
      for (;;) {
        const at = buffer.indexOf(mark)
        // The start of the mark may be at the end of the buffer.
        const end = at < 0 ? Math.max(0, buffer.length - mark.length + 1) : at
        const piece = buffer.subarray(0, end)
        buffer = buffer.subarray(at < 0 ? end : end + mark.length)
        if (piece.length > 0) yield piece
        if (at >= 0) return
        await readMore()
      }
    },
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > limit) throw bodyTooLarge(limit)
    read.push(piece)
  }
  return Buffer.concat(read)
}
