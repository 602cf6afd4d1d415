import { knownCodings } from '../../../src/proxy/decode-body.ts'
import { serveProxy } from '../../../src/proxy/proxy-server.ts'
import { createRecorder, type Recorded } from '../../../src/record/session/recorder.ts'

/** A recording in progress, as of `mock record`. */
export interface Recording {
  /** The origin of the proxy. */
  url: string
  /** Ends the recording and writes the files. @throws Error for a problem of the recording */
  close(): Promise<Recorded>
}

/** Records a back end into the folder `fixtures` below a folder. */
export async function startRecording(origin: string, folder: string): Promise<Recording> {
  const problems: string[] = []
  const limit = 1024 * 1024
  const recorder = createRecorder({
    origin,
    out: 'fixtures',
    cwd: folder,
    limit,
    onExchange: () => undefined,
    onProblem: (message) => problems.push(message),
  })
  const { url, close } = await serveProxy({
    upstream: origin,
    port: 0,
    host: 'localhost',
    codings: knownCodings,
    limit,
    onExchange: recorder.add,
  })
  return {
    url,
    async close() {
      await close()
      const recorded = await recorder.close()
      if (problems.length > 0) throw new Error(problems.join('\n'))
      return recorded
    },
  }
}
